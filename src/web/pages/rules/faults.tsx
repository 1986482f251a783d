import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { describeFault, effectOf, leftOf, targetOf } from '../../../client/rule-texts.js';
import type { Fault } from '../../../contract/control/simulation/faults.js';
import {
  type FaultPreset,
  faultPresetNames,
  faultPresets,
  faultsOfPreset,
} from '../../../contract/vocabulary/faults/presets.js';
import { useControl, useControlChange } from '../../api/calls.js';
import { Button, IconButton } from '../../components/button.js';
import { CopyCommand } from '../../components/copy-text.js';
import { SelectField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { Section } from '../../components/page/page.js';
import { EmptyState, Loaded, Problem } from '../../components/states.js';
import { Table } from '../../components/table.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';

/** Failures that the server injects into SMTP, REST and webhooks. */
export function Faults() {
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title="Faults"
      actions={
        <Button icon={Plus} onClick={() => setAdding(true)}>
          Add a preset
        </Button>
      }
    >
      <p className={tables.muted}>
        A fault makes the server fail over SMTP, over REST or at a webhook’s receiver. The newest fault that applies is
        injected.
      </p>
      <FaultList />
      {isAdding && <PresetDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

function FaultList() {
  const query = useControl('faults.list', {});
  return (
    <Loaded query={query}>{({ faults }) => (faults.length > 0 ? <FaultTable faults={faults} /> : <NoFaults />)}</Loaded>
  );
}

function FaultTable({ faults }: { faults: readonly Fault[] }) {
  const removing = useControlChange('faults.delete');
  const remove = (id: string) => removing.isPending || removing.mutate({ params: { id } });
  return (
    <>
      {removing.error && <Problem error={removing.error} />}
      <Table label="Faults" wide columns={['Target', 'Effect', 'Details', 'Hits', 'Times left', 'Added', '']}>
        {faults.map((fault) => (
          <FaultRow key={fault.id} fault={fault} onRemove={() => remove(fault.id)} />
        ))}
      </Table>
    </>
  );
}

function FaultRow({ fault, onRemove }: { fault: Fault; onRemove(): void }) {
  return (
    <tr>
      <td>
        <code>{targetOf(fault)}</code>
      </td>
      <td>{effectOf(fault)}</td>
      <td>
        <bdi>{describeFault(fault)}</bdi>
      </td>
      <td className={tables.keep} data-label="Hits:">
        {fault.hits}
      </td>
      <td className={tables.keep} data-label="Times left:">
        {leftOf(fault)}
      </td>
      <td className={tables.keep}>
        <Time at={fault.created_at} />
      </td>
      <td className={tables.last}>
        <IconButton
          label={`Remove the fault ${effectOf(fault)} at ${targetOf(fault)}`}
          icon={Trash2}
          onClick={onRemove}
        />
      </td>
    </tr>
  );
}

function NoFaults() {
  return (
    <EmptyState title="No faults">
      <p>The server works as it should. Add a preset here, or any fault with a command:</p>
      <CopyCommand
        text="svc dev faults add --smtp end --drop after --times 1"
        label="Copy the command that loses the reply to a message"
      />
      <CopyCommand
        text="svc dev faults add --http 'POST /v1/emails' --code 429 --every 2"
        label="Copy the command that refuses every second email"
      />
    </EmptyState>
  );
}

/** Asks for a preset, and adds its faults. */
function PresetDialog({ onClose }: { onClose(): void }) {
  const [preset, setPreset] = useState<FaultPreset>('provider-outage');
  const create = useControlChange('faults.create');
  const add = async () => {
    for (const body of faultsOfPreset(preset)) await create.mutateAsync({ body });
  };
  return (
    <FormDialog title="Add a preset" action="Add faults" onClose={onClose} onSubmit={add}>
      <SelectField
        label="Preset"
        name="preset"
        value={preset}
        data-autofocus
        hint={faultPresets[preset].description}
        onChange={({ target }) => setPreset(target.value as FaultPreset)}
      >
        {faultPresetNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
