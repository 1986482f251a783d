import { normalizeAddress, shownMailbox } from '../../../contract/vocabulary/addresses.js';
import { NO_SERVICE_HEADERS } from '../../../contract/vocabulary/service-headers.js';
import { type Email, type EmailContent, newEmail, type Recipient, type RecipientKind } from '../../model/emails.js';
import type { ReceivedEnvelope, ReceivedHead } from '../../model/received.js';
import type { ParsedMessage } from '../../ports.js';

/** Creates emails from messages received over SMTP. */

/** Returns the parsed message, with the envelope's sender if the header has none. */
export function withSender(message: ReceivedEnvelope, parsed: ParsedMessage): ParsedMessage {
  if (parsed.content.from !== '') return parsed;
  return { ...parsed, content: { ...parsed.content, ...envelopeSender(message) } };
}

/** Returns what is known of a message that could not be parsed: its header if it is readable, and `error` as the reason. */
export function unreadable(message: ReceivedEnvelope, error: unknown, header?: ParsedMessage): ParsedMessage {
  const parseError = error instanceof Error ? error.message : String(error);
  if (header) return { ...header, content: { ...header.content, parseError } };
  return {
    content: { ...envelopeSender(message), subject: '', replyTo: null, html: '', text: '', parseError },
    to: [],
    cc: [],
    names: new Map(),
    attachments: [],
    service: NO_SERVICE_HEADERS,
    unknownHeaders: [],
    warnings: [],
  };
}

/**
 * Returns each mailbox of the envelope once, with the name that the headers have for it. A mailbox that the headers do
 * not contain is bcc; if they contain none, all are `to`.
 */
export function recipientsOf(
  message: ReceivedEnvelope,
  parsed: Pick<ParsedMessage, 'to' | 'cc' | 'names'>,
): Recipient[] {
  const kinds = kindsOf(parsed);
  const addresses = addressesOf(message);
  const named = [...addresses.keys()].some((mailbox) => kinds.has(mailbox));
  return Array.from(addresses, ([mailbox, address]) => {
    const shown = shownMailbox({ name: parsed.names.get(mailbox) ?? '', address });
    return recipientOf(named ? (kinds.get(mailbox) ?? 'bcc') : 'to', mailbox, shown);
  });
}

export function emailOf(
  { id, createdAt, capturedAt, size, workspace }: ReceivedHead,
  content: EmailContent,
  recipients: Recipient[],
): Email {
  const to = recipients.filter(({ kind }) => kind === 'to');
  return newEmail({
    ...content,
    id,
    origin: 'smtp',
    status: 'sent',
    to: (to.length > 0 ? to : recipients).map(({ address }) => address).join(', '),
    size,
    workspace,
    createdAt,
    capturedAt,
    sentAt: createdAt,
  });
}

function envelopeSender({ mailFrom }: ReceivedEnvelope): Pick<EmailContent, 'from' | 'fromMailbox'> {
  return { from: mailFrom, fromMailbox: normalizeAddress(mailFrom) };
}

/** Returns each mailbox of the recipients once. */
export function mailboxesOf(recipients: readonly string[]): string[] {
  return [...new Set(recipients.map(normalizeAddress))];
}

/** Returns each mailbox of the envelope with the address as it was spelled first. */
function addressesOf({ recipients }: ReceivedEnvelope): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const address of recipients) {
    const mailbox = normalizeAddress(address);
    if (!addresses.has(mailbox)) addresses.set(mailbox, address);
  }
  return addresses;
}

function recipientOf(kind: RecipientKind, mailbox: string, address: string): Recipient {
  return { kind, address, mailbox, status: 'sent', dueAt: null, steps: null };
}

function kindsOf({ to, cc }: Pick<ParsedMessage, 'to' | 'cc'>): Map<string, RecipientKind> {
  const kinds = new Map<string, RecipientKind>();
  for (const mailbox of cc) kinds.set(mailbox, 'cc');
  for (const mailbox of to) kinds.set(mailbox, 'to');
  return kinds;
}
