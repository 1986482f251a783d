import { useState } from 'react';
import {
  bounceTypes,
  complaintTypes,
  dropReasons,
  type Outcome,
  outcomes,
} from '../../../contract/vocabulary/outcome.js';
import { incompatibleDetails } from '../../../contract/vocabulary/outcome-details.js';
import { useControlChange } from '../../api/calls.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';

type NewRule = Parameters<ReturnType<typeof useControlChange<'rules.create'>>['mutateAsync']>[0]['body'];
type Detail = 'bounce_type' | 'complaint_type' | 'drop_reason' | 'reason' | 'delay';

/** Asks for the fields of a new rule. Details that do not apply to the outcome are not shown. */
export function RuleDialog({ onClose }: { onClose(): void }) {
  const [outcome, setOutcome] = useState<Outcome>('bounced');
  const create = useControlChange('rules.create');
  const has = (detail: Detail) => incompatibleDetails({ outcome, [detail]: 'hard' }).length === 0;
  return (
    <FormDialog
      title="Add a rule"
      action="Add rule"
      onClose={onClose}
      onSubmit={(fields) => create.mutateAsync({ body: ruleOf(fields) })}
    >
      <TextField
        label="Recipients"
        name="to"
        placeholder="*@corp.test"
        data-autofocus
        hint="An address or a pattern; * matches any text."
      />
      <SelectField
        label="Outcome"
        name="outcome"
        value={outcome}
        onChange={({ target }) => setOutcome(target.value as Outcome)}
      >
        {options(outcomes)}
      </SelectField>
      {has('bounce_type') && (
        <SelectField label="Bounce type" name="bounce_type">
          {options(bounceTypes)}
        </SelectField>
      )}
      {has('complaint_type') && (
        <SelectField label="Complaint type" name="complaint_type">
          {options(complaintTypes)}
        </SelectField>
      )}
      {has('drop_reason') && (
        <SelectField label="Drop reason" name="drop_reason" defaultValue="invalid_address">
          {options(dropReasons)}
        </SelectField>
      )}
      {has('reason') && (
        <TextField label="Bounce reason" name="reason" placeholder="550 5.1.1 The mailbox does not exist" />
      )}
      {has('delay') && (
        <TextField label="Delay" name="delay" placeholder="30s" hint="Between sending and the first event." />
      )}
      <TextField label="Number of emails" name="times" inputMode="numeric" placeholder="Unlimited" />
    </FormDialog>
  );
}

function options(values: readonly string[]) {
  return values.map((value) => (
    <option key={value} value={value}>
      {value.replace('_', ' ')}
    </option>
  ));
}

/** Returns the fields that have a value. The server checks them. */
function ruleOf(fields: FormData): NewRule {
  const filled = [...fields].filter(([, value]) => value !== '');
  const { times, ...rule } = Object.fromEntries(filled) as Record<string, string>;
  return { ...rule, ...(times !== undefined && { times: Number(times) }) } as NewRule;
}
