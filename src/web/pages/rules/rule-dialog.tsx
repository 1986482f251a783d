import { useState } from 'react';
import { type Outcome, outcomes } from '../../../contract/vocabulary/outcome.js';
import { useControlChange } from '../../api/calls.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { OutcomeDetails } from '../../components/form/outcome-details.js';

type NewRule = Parameters<ReturnType<typeof useControlChange<'rules.create'>>['mutateAsync']>[0]['body'];

/** Asks for the fields of a new rule. */
export function RuleDialog({ onClose }: { onClose(): void }) {
  const [outcome, setOutcome] = useState<Outcome>('bounced');
  const create = useControlChange('rules.create');
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
        {outcomes.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </SelectField>
      <OutcomeDetails outcome={outcome} />
      <TextField label="Number of emails" name="times" inputMode="numeric" placeholder="Unlimited" />
    </FormDialog>
  );
}

/** Returns the fields that have a value. The server checks them. */
function ruleOf(fields: FormData): NewRule {
  const filled = [...fields].filter(([, value]) => value !== '');
  const { times, ...rule } = Object.fromEntries(filled) as Record<string, string>;
  return { ...rule, ...(times !== undefined && { times: Number(times) }) } as NewRule;
}
