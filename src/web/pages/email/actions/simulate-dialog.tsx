import { useState } from 'react';
import type { Outcome } from '../../../../contract/vocabulary/outcome.js';
import { useControlChange } from '../../../api/calls.js';
import { SelectField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';
import type { EmailDetails } from '../types.js';
import { DetailFields } from './detail-fields.js';
import { OutcomeField } from './outcome-field.js';
import { outcomeChoices } from './possible-outcomes.js';

/** The value of the choice of all recipients. No address is equal to it. */
const ALL = '';
/** Groups of data that an outcome changes, besides emails. */
const CHANGED = ['summary', 'suppressions', 'deliveries'];

/** Simulates an outcome for one or all recipients of an email. */
export function SimulateDialog({ email, onClose }: { email: EmailDetails; onClose(): void }) {
  const { id, recipients, links } = email;
  const [mailbox, setMailbox] = useState(recipients.length === 1 ? (recipients[0]?.mailbox ?? ALL) : ALL);
  const [wanted, setWanted] = useState<Outcome>();
  const simulation = useControlChange('emails.simulate', ...CHANGED);
  const choices = outcomeChoices(mailbox === ALL ? recipients : recipients.filter((each) => each.mailbox === mailbox));
  const possible = choices.filter(({ isPossible }) => isPossible);
  const outcome = (possible.find((choice) => choice.outcome === wanted) ?? possible[0])?.outcome;
  const submit = async (fields: FormData) => {
    if (outcome === undefined) throw new Error('No outcome is possible for this email now.');
    const details = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
    const target = mailbox === ALL ? { all: true } : { recipient: mailbox };
    await simulation.mutateAsync({ params: { id }, body: { ...details, ...target, outcome } });
  };
  return (
    <FormDialog title="Simulate an outcome" action="Simulate" onSubmit={submit} onClose={onClose}>
      {recipients.length > 1 && (
        <SelectField label="Recipient" value={mailbox} onChange={(event) => setMailbox(event.target.value)}>
          <option value={ALL}>All {recipients.length}</option>
          {recipients.map((each) => (
            <option key={each.mailbox}>{each.mailbox}</option>
          ))}
        </SelectField>
      )}
      <OutcomeField choices={choices} value={outcome} onChange={setWanted} />
      {outcome && <DetailFields key={outcome} outcome={outcome} links={links} />}
    </FormDialog>
  );
}
