import { useId, useState } from 'react';
import { type Outcome, outcomes, remainingSteps } from '../../../../contract/vocabulary/outcomes.js';
import { useControlChange } from '../../../api/calls.js';
import { SelectField, TextField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';
import { hasDetail, OutcomeDetails } from '../../../components/form/outcome-details.js';
import type { EmailDetails } from '../types.js';
import styles from './simulate-dialog.module.css';

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

interface Props {
  choices: readonly OutcomeChoice[];
  value: Outcome | undefined;
  onChange(outcome: Outcome): void;
}

/** A choice of one outcome. Those that are not possible have the reason. */
export function OutcomeField({ choices, value, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.field}>
      <legend>Outcome</legend>
      {choices.map(({ outcome, label, hint, isPossible }) => (
        <div key={outcome} className={styles.choice} data-possible={isPossible}>
          <input
            type="radio"
            id={`${id}-${outcome}`}
            name="outcome"
            value={outcome}
            checked={outcome === value}
            disabled={!isPossible}
            aria-describedby={`${id}-${outcome}-hint`}
            data-autofocus={outcome === value || undefined}
            onChange={() => onChange(outcome)}
          />
          <label htmlFor={`${id}-${outcome}`}>{label}</label>
          <span id={`${id}-${outcome}-hint`} className={styles.hint}>
            {hint}
          </span>
        </div>
      ))}
    </fieldset>
  );
}

/** Fields for the details of an outcome, and of the request that opens or clicks. */
export function DetailFields({ outcome, links }: { outcome: Outcome; links: EmailDetails['links'] }) {
  return (
    <OutcomeDetails outcome={outcome}>
      {hasDetail(outcome, 'url') && <LinkField links={links} />}
      {hasDetail(outcome, 'user_agent') && (
        <TextField
          label="User agent"
          name="user_agent"
          placeholder="Mozilla/5.0 (X11; Linux x86_64)"
          hint="Optional (default: that of a widely used browser or mail program)."
        />
      )}
      {hasDetail(outcome, 'ip_address') && <TextField label="IP address" name="ip_address" placeholder="192.0.2.1" />}
    </OutcomeDetails>
  );
}

/** The link to click: one of the email, or another. */
function LinkField({ links }: { links: EmailDetails['links'] }) {
  const id = useId();
  const urls = [...new Set(links.map(({ href }) => href).filter((href) => /^https?:/.test(href)))];
  const hint = urls.length === 0 ? 'The email has no link. Enter the URL to click.' : undefined;
  return (
    <>
      <TextField label="Link" name="url" type="url" list={id} defaultValue={urls[0]} hint={hint} />
      <datalist id={id}>
        {urls.map((url) => (
          <option key={url} value={url} />
        ))}
      </datalist>
    </>
  );
}

type Recipient = EmailDetails['recipients'][number];

export interface OutcomeChoice {
  outcome: Outcome;
  label: string;
  /** What happens, or why it is not possible now. */
  hint: string;
  isPossible: boolean;
}

const TEXTS: Record<Outcome, readonly [label: string, hint: string]> = {
  delivered: ['Delivered', 'The server of the recipient accepts the email.'],
  deferred: ['Deferred', 'The delivery is retried after 5 minutes.'],
  bounced: ['Bounced', 'The server of the recipient rejects the email.'],
  'soft-bounced': ['Soft bounced', 'A bounce that does not suppress the address.'],
  complained: ['Complained', 'The recipient reports the email as spam.'],
  opened: ['Opened', 'The recipient opens the email.'],
  clicked: ['Clicked', 'The recipient opens the email and clicks a link.'],
  none: ['No result', 'The email stays sent, and pending events are discarded.'],
  dropped: ['Dropped', 'Only possible before sending: use a rule, or send to dropped@simulator.test.'],
};

/** Why nothing, or nothing of this kind, can follow a status. */
const REASONS: Record<Recipient['status'], string> = {
  scheduled: 'Not possible: the email is not sent yet.',
  cancelled: 'Not possible: the email is cancelled.',
  sent: 'Not possible: the email is not delivered yet.',
  delivered: 'Not possible: the email is already delivered.',
  bounced: 'Not possible: the email bounced.',
  complained: 'Not possible: the recipient has already complained.',
  dropped: 'Not possible: the email was dropped and never sent.',
};

/** Returns all outcomes, and which of them are possible for at least one of the recipients. */
export function outcomeChoices(recipients: readonly Pick<Recipient, 'status'>[]): OutcomeChoice[] {
  const [first] = recipients;
  return outcomes.map((outcome) => {
    const [label, hint] = TEXTS[outcome];
    const isPossible = recipients.some(({ status }) => remainingSteps(outcome, status) !== undefined);
    if (isPossible || outcome === 'dropped' || !first) return { outcome, label, hint, isPossible };
    const isSame = recipients.every(({ status }) => status === first.status);
    return { outcome, label, hint: isSame ? REASONS[first.status] : 'Not possible for any recipient.', isPossible };
  });
}
