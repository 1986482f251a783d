import { type Outcome, outcomes } from '../../../../contract/vocabulary/outcome.js';
import { remainingSteps } from '../../../../contract/vocabulary/outcome-steps.js';
import type { EmailDetails } from '../types.js';

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
