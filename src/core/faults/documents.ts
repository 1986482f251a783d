import { SendEmail } from '../../contract/service/emails.js';
import type { Core } from '../context.js';
import { recipientsOf, withSender } from '../mail/inbound/received-email.js';
import { mailboxOf, requestedRecipients } from '../mail/recipients.js';
import type { ReceivedHead, ReceivedMessage } from '../model/received.js';
import type { SearchDocument } from '../model/search.js';
import type { ExtractContent, ParsedMessage } from '../ports.js';

/** Describes emails that are not stored yet, for the queries of faults. */

export interface DocumentDeps extends Pick<Core, 'clock'> {
  extractContent: ExtractContent;
}

/**
 * Returns a message as a query tests it; undefined if it cannot be parsed. One that is not parsed in time has only the
 * fields of its header.
 */
export async function documentOfMessage(
  deps: DocumentDeps,
  { bytes, mailFrom, recipients }: ReceivedMessage,
  read: ParsedMessage,
  withExtracts: boolean,
): Promise<SearchDocument | undefined> {
  if (read.content.parseError !== null) return undefined;
  const head: ReceivedHead = { ...unstored(deps), mailFrom, recipients, size: bytes.length };
  const parsed = withSender(head, read);
  const { content, attachments } = parsed;
  return complete(deps, withExtracts ? bytes : undefined, content.html, {
    ...head,
    ...content,
    origin: 'smtp',
    recipients: recipientsOf(head, parsed),
    tags: [],
    templateId: null,
    attachments: attachments.map(({ filename }) => filename),
  });
}

/** Returns the request to send an email as a query tests it, without the content of its template. */
export async function documentOfRequest(
  deps: DocumentDeps,
  body: SendEmail,
  withExtracts: boolean,
): Promise<SearchDocument> {
  const { subject = '', html = '', text = '' } = body;
  return complete(deps, withExtracts ? null : undefined, html, {
    ...unstored(deps),
    origin: 'rest',
    from: body.from,
    fromMailbox: mailboxOf(body.from),
    replyTo: body.reply_to ?? null,
    recipients: requestedRecipients(body, 'sent'),
    subject,
    text,
    tags: body.tags ?? [],
    templateId: body.template_id ?? null,
    attachments: (body.attachments ?? []).map(({ filename }) => filename),
    size: subject.length + html.length + text.length,
  });
}

/** Returns the sender and the recipients of a request to send an email; undefined if the request is invalid. */
export function readSendRequest(body: unknown): { body: SendEmail; from: string; to: string[] } | undefined {
  const read = SendEmail.safeParse(body);
  if (!read.success) return undefined;
  const to = requestedRecipients(read.data, 'sent').map(({ mailbox }) => mailbox);
  return { body: read.data, from: mailboxOf(read.data.from), to };
}

function unstored({ clock }: DocumentDeps) {
  return { seq: 0, id: '', workspace: null, createdAt: clock.now(), capturedAt: clock.systemNow() };
}

type Known = Omit<SearchDocument, 'status' | 'hasHtml' | 'warnings' | 'events' | 'read' | 'extracts'>;

/** `head` is the message, or null for a request; undefined if no extracts are needed. */
async function complete(
  { extractContent }: DocumentDeps,
  head: Uint8Array | null | undefined,
  html: string,
  known: Known,
): Promise<SearchDocument> {
  const { subject, text } = known;
  const extracts = head === undefined ? undefined : await extractContent({ subject, html, text, head });
  return { ...known, hasHtml: html !== '', status: 'sent', warnings: [], events: [], read: false, extracts };
}
