import type { ReactNode } from 'react';
import {
  bounceTypes,
  complaintTypes,
  type OutcomeDetails as Details,
  dropReasons,
  incompatibleDetails,
  type Outcome,
} from '../../../contract/vocabulary/outcomes.js';
import { SelectField, TextField } from './field.js';

type Detail = Exclude<keyof Details, 'outcome'>;

/** Returns whether a detail applies to an outcome. */
export function hasDetail(outcome: Outcome, detail: Detail): boolean {
  return incompatibleDetails({ outcome, [detail]: 'any' }).length === 0;
}

interface Props {
  outcome: Outcome;
  /** More details. */
  children?: ReactNode;
}

/** Fields for the details that apply to an outcome. Empty ones get the server's values. */
export function OutcomeDetails({ outcome, children }: Props) {
  const has = (detail: Detail) => hasDetail(outcome, detail);
  const fitting = bounceTypes.filter((type) => incompatibleDetails({ outcome, bounce_type: type }).length === 0);
  return (
    <>
      {fitting.length > 1 && <Choice label="Bounce type" name="bounce_type" values={fitting} />}
      {has('complaint_type') && <Choice label="Complaint type" name="complaint_type" values={complaintTypes} />}
      {has('drop_reason') && (
        <Choice label="Drop reason" name="drop_reason" values={dropReasons} defaultValue="invalid_address" />
      )}
      {has('reason') && (
        <TextField label="Bounce reason" name="reason" placeholder="550 5.1.1 The mailbox does not exist" />
      )}
      {children}
      {has('delay') && (
        <TextField
          label="Delay"
          name="delay"
          placeholder={outcome === 'deferred' ? '5m' : '0s'}
          hint="Before the first event, on the service’s clock, such as 30s, 5m or 2h."
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  name: Detail;
  values: readonly string[];
  defaultValue?: string;
}

function Choice({ label, name, values, defaultValue }: ChoiceProps) {
  return (
    <SelectField label={label} name={name} defaultValue={defaultValue}>
      {values.map((value) => (
        <option key={value} value={value}>
          {value.replace('_', ' ')}
        </option>
      ))}
    </SelectField>
  );
}
