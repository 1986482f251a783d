import type { SmtpSession } from '../contract/control/logs.js';
import type { SmtpEnding } from '../contract/vocabulary/smtp.js';

const ENDS: Readonly<Record<string, string>> = {
  quit: 'closed after QUIT',
  client_closed: 'closed by the client',
  refused: 'closed by the server',
  timed_out: 'timed out',
  server_stopped: 'server stopped',
} satisfies Record<SmtpEnding, string>;

/** Returns the address of the client; `Unix socket` for one without. */
export function addressOf({ client: { address } }: Pick<SmtpSession, 'client'>): string {
  return address || 'Unix socket';
}

/** Returns the address of the client, with its name. */
export function clientOf(session: Pick<SmtpSession, 'client' | 'helo'>): string {
  const { helo } = session;
  return helo === null ? addressOf(session) : `${addressOf(session)} (${helo})`;
}

/** Returns why a session ended, in words; `open` for one that has not. A newer server may know other endings. */
export function endOf({ ending }: Pick<SmtpSession, 'ending'>): string {
  return ending === null ? 'open' : (ENDS[ending] ?? ending);
}

/** Returns the number of stored messages, such as `2 messages`. */
export function messagesOf({ accepted }: Pick<SmtpSession, 'accepted'>): string {
  return accepted === 1 ? '1 message' : `${accepted} messages`;
}
