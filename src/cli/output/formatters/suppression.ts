import type { Inspection } from '../../../contract/control/emails/inspect.js';
import type { Suppression } from '../../../contract/control/suppressions.js';
import { localTime } from '../local-time.js';
import { type CommandLine, oneLine, shellQuote } from '../text.js';

/** Formats the recipients of an email whose addresses are suppressed. Every line is safe to print. */

const CAUSES: Record<Suppression['reason'], string> = {
  hard_bounce: 'a hard bounce',
  complaint: 'a complaint',
  manual: 'a manual entry',
};

type Recipients = Inspection['recipients'];

/** Lines for recipients; more would hide the email. */
const SHOWN = 3;

/**
 * Returns a line for each suppressed recipient, and the command that lifts the suppression. `command` completes a command
 * line for the server in use.
 */
export function suppressionLines(recipients: Recipients, command: CommandLine): string[] {
  const suppressed = recipients.filter(({ suppression }) => suppression !== null);
  const lines = suppressed.slice(0, SHOWN).map(({ mailbox, suppression }) => {
    const { reason, email_id, created_at } = suppression as NonNullable<Recipients[number]['suppression']>;
    const cause = email_id === null ? `because of ${CAUSES[reason]}` : causeOf(reason, email_id);
    return oneLine(`${mailbox} has been suppressed since ${localTime(created_at)} ${cause}.`);
  });
  const more = suppressed.length - lines.length;
  const [first] = suppressed;
  if (!first) return [];
  const advice = (purpose: string, line: string) => {
    const completed = command(line);
    return completed === undefined ? [] : [oneLine(`${purpose}, run: ${completed}`)];
  };
  return [
    ...lines,
    ...(more > 0 ? [[`${more} more are suppressed.`, ...advice('To list them', 'suppressions list')].join(' ')] : []),
    ...(suppressed.length === 1
      ? advice('To send to it again', `suppressions remove ${shellQuote(first.mailbox)}`)
      : advice('To send to one of them again', 'suppressions remove ADDRESS')),
  ];
}

function causeOf(reason: keyof typeof CAUSES, emailId: string): string {
  if (reason === 'hard_bounce') return `because ${emailId} bounced (hard)`;
  return reason === 'complaint' ? `because of a complaint about ${emailId}` : `because of ${CAUSES[reason]}`;
}
