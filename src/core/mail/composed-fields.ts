import { domainToASCII } from 'node:url';
import { domainOf } from '../../contract/vocabulary/addresses.js';
import type { Email, Recipient } from '../model/emails.js';

/** Returns the identifier of the message that is composed for an email from REST, with angle brackets. */
export function messageIdOf({ id, fromMailbox }: Pick<Email, 'id' | 'fromMailbox'>): string {
  return `<${id}@${domainToASCII(domainOf(fromMailbox))}>`;
}

/** Returns the date of that message. A scheduled email is composed when it is sent, and its recipient expects that time. */
export function messageDateOf({ scheduledAt, createdAt }: Pick<Email, 'scheduledAt' | 'createdAt'>): Date {
  return new Date(scheduledAt ?? createdAt);
}

/** Returns the fields that an email from REST has in its composed message, decoded and in their order. */
export function composedFields(
  email: Pick<Email, 'id' | 'from' | 'fromMailbox' | 'replyTo' | 'subject' | 'scheduledAt' | 'createdAt'>,
  recipients: readonly Pick<Recipient, 'kind' | 'address'>[],
): [name: string, value: string][] {
  const addresses = (kind: Recipient['kind']) =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
  const fields: [string, string][] = [
    ['From', email.from],
    ['To', addresses('to').join(', ')],
    ['Cc', addresses('cc').join(', ')],
    ['Reply-To', email.replyTo ?? ''],
    ['Subject', email.subject],
    ['Message-ID', messageIdOf(email)],
    ['Date', messageDateOf(email).toUTCString().replace(/GMT$/, '+0000')],
    ['MIME-Version', '1.0'],
  ];
  return fields.filter(([, value]) => value !== '');
}
