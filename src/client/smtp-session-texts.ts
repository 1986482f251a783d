import type { SmtpSession } from '../contract/control/smtp-sessions.js';

/** Returns the address of the client, with its name. */
export function clientOf({ client: { address }, helo }: Pick<SmtpSession, 'client' | 'helo'>): string {
  return helo === null ? address : `${address} (${helo})`;
}

/** Returns why a session ended, in words; `open` for one that has not. */
export function endOf({ ending }: Pick<SmtpSession, 'ending'>): string {
  return ending === null ? 'open' : ending.replace('_', ' ');
}

/** Returns the number of stored messages, such as `2 messages`. */
export function messagesOf({ accepted }: Pick<SmtpSession, 'accepted'>): string {
  return accepted === 1 ? '1 message' : `${accepted} messages`;
}
