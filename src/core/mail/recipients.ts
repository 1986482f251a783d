import type { SendEmail } from '../../contract/service/emails.js';
import { normalizeAddress, parseAddress } from '../../contract/vocabulary/addresses.js';
import type { Recipient, RecipientKind } from '../model/emails.js';

/** Returns each mailbox once, with the role in which it occurs first. */
export function requestedRecipients(body: SendEmail, status: Recipient['status']): Recipient[] {
  const byMailbox = new Map<string, Recipient>();
  const add = (kind: RecipientKind, addresses: string | string[] | undefined) => {
    for (const address of [addresses ?? []].flat()) {
      const mailbox = mailboxOf(address);
      if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, { kind, address, mailbox, status, dueAt: null, steps: null });
    }
  };
  add('to', body.to);
  add('cc', body.cc);
  add('bcc', body.bcc);
  return [...byMailbox.values()];
}

export function mailboxOf(address: string): string {
  return normalizeAddress(parseAddress(address).address);
}
