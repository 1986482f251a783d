import { domainToASCII } from 'node:url';
import { domainOf, normalizeAddress, readAddress } from '../contract/address.js';
import { ServiceError } from '../contract/errors.js';
import { shortened } from '../contract/shortened.js';
import type { Core } from './context.js';
import type { Attachment, Email } from './model.js';
import type { ComposeMessage, DkimIdentity } from './ports.js';
import { deliveredHtml } from './tracking.js';

/** An email as one recipient gets it, which differs from recipient to recipient by the tracking in it. */

type Surroundings = Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'publicUrl'>;

/**
 * The HTML that a recipient gets; the first one's when none is named.
 * @throws ServiceError `not_found` when the email has no such recipient.
 */
export async function htmlFor(email: Email, recipient: string | undefined, core: Surroundings): Promise<string> {
  return deliveredHtml(email, await placeOf(email, recipient, core), core);
}

/**
 * The message that a recipient gets. What SMTP delivered goes out as it came in; what came over REST is composed, and signed
 * when its sending domain has been added, verified or not.
 * @throws ServiceError `not_found` when the email has no such recipient.
 */
export async function messageFor(
  email: Email,
  recipient: string | undefined,
  core: Surroundings & { compose: ComposeMessage },
): Promise<Uint8Array> {
  const { read } = core.store;
  const place = await placeOf(email, recipient, core);
  const received = await read.received.ofEmail(email.id);
  if (received) return received.bytes;
  const infos = await read.emails.attachments(email.id);
  const [html, recipients, attachments, dkim] = await Promise.all([
    deliveredHtml(email, place, core),
    read.emails.recipients(email.id),
    Promise.all(infos.map((_, index) => read.emails.attachment(email.id, index) as Promise<Attachment>)),
    dkimIdentity(email, core),
  ]);
  return core.compose({ email, html, recipients, attachments, dkim });
}

async function placeOf(email: Email, recipient: string | undefined, { store }: Surroundings): Promise<number> {
  if (recipient === undefined) return 0;
  const read = readAddress(recipient);
  const mailbox = normalizeAddress('problem' in read ? recipient : read.address);
  const place = (await store.read.emails.recipients(email.id)).findIndex((each) => each.mailbox === mailbox);
  if (place >= 0) return place;
  throw new ServiceError(
    'not_found',
    `Recipient ${JSON.stringify(shortened(recipient))} of email ${email.id} not found.`,
  );
}

/** Domains are kept in their ASCII form. */
async function dkimIdentity({ fromMailbox }: Email, { store }: Surroundings): Promise<DkimIdentity | null> {
  const record = await store.read.domains.find(domainToASCII(domainOf(fromMailbox)));
  if (!record) return null;
  return { domain: record.domain, selector: record.dkimSelector, privateKey: record.dkimPrivateKey };
}
