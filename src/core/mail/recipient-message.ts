import { domainOf, normalizeAddress, readAnyAddress } from '../../contract/vocabulary/addresses.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { Core, EventDeps } from '../context.js';
import type { Attachment } from '../model/contents.js';
import type { Email, StoredRecipient } from '../model/emails.js';
import type { ComposeMessage, DeliveredCopy, DkimIdentity } from '../ports.js';
import { deliveredHtml, isTracked } from './tracking/tracking.js';

/** Creates the message that one recipient receives. Tracked links and pixels differ between recipients. */

type MessageDeps = EventDeps & Pick<Core, 'store' | 'findHtmlLinks' | 'publicUrl'>;

/**
 * Returns the HTML for a recipient (default: the first).
 * @throws ServiceError `not_found` if the email has no such recipient.
 */
export async function htmlFor(email: Email, recipient: string | undefined, core: MessageDeps): Promise<string> {
  const recipients = await core.store.read.emails.recipients(email.id);
  return deliveredHtml(email, positionOf(email, recipients, recipient), core);
}

/**
 * Returns the message for a recipient. Without a recipient, a message received over SMTP is returned unchanged; the copy
 * of a recipient has no X-Service-… headers, and a new body if a template or tracking changes it. One from REST is
 * composed, and signed if its sending domain was added, even if the domain is not verified. Attachments with damaged rows
 * are left out.
 * @throws ServiceError `not_found` if the email has no such recipient.
 */
export async function messageFor(
  email: Email,
  recipient: string | undefined,
  core: MessageDeps & { compose: ComposeMessage; deliveredCopy: DeliveredCopy },
): Promise<Uint8Array> {
  const { read } = core.store;
  const recipients = await read.emails.recipients(email.id);
  const position = positionOf(email, recipients, recipient);
  const received = await read.received.ofEmail(email.id);
  if (received && recipient === undefined) return received.bytes;
  if (received && !isTracked(email) && email.templateId === null) return core.deliveredCopy(received.bytes, null);
  const infos = await read.emails.attachments(email.id);
  const [html, attachments, dkim] = await Promise.all([
    deliveredHtml(email, position, core),
    Promise.all(infos.map((info) => read.emails.attachment(email.id, info.position))),
    dkimIdentity(email, core),
  ]);
  const present = attachments.filter((attachment): attachment is Attachment => attachment !== undefined);
  const composed = await core.compose({ email, html, recipients, attachments: present, dkim: received ? null : dkim });
  return received ? core.deliveredCopy(received.bytes, composed) : composed;
}

function positionOf(email: Email, recipients: StoredRecipient[], recipient: string | undefined): number {
  if (recipient === undefined) return recipients[0]?.position ?? 0;
  const read = readAnyAddress(recipient);
  const mailbox = normalizeAddress('problem' in read ? recipient : read.address);
  const found = recipients.find((each) => each.mailbox === mailbox);
  if (found) return found.position;
  throw new ServiceError(
    'not_found',
    `Recipient ${JSON.stringify(shortened(recipient))} of email ${email.id} not found.`,
  );
}

/** Returns the DKIM key of the sender's domain, if the domain was added. Domains are stored in ASCII form. */
async function dkimIdentity({ fromMailbox }: Email, { store }: MessageDeps): Promise<DkimIdentity | null> {
  const record = await store.read.domains.find(domainOf(fromMailbox));
  if (!record) return null;
  return { domain: record.domain, selector: record.dkimSelector, privateKey: record.dkimPrivateKey };
}
