import type { ControlOperations } from '../../../client/operations.js';
import { useControl } from '../../api/calls.js';

export type SmtpSession = ControlOperations['smtp-sessions.list']['result']['sessions'][number];
export type SmtpSessionDetails = ControlOperations['smtp-sessions.get']['result'];
export type SmtpTransaction = SmtpSession['transactions'][number];

/** Reads the newest sessions. */
export function useSessions(failed: boolean, limit: number) {
  const query = { ...(failed && { failed: 'true' as const }), limit: String(limit) };
  return useControl('smtp-sessions.list', { query }, { keepPrevious: true });
}

const ENDINGS: Record<NonNullable<SmtpSession['ending']>, string> = {
  quit: 'Closed after QUIT',
  client_closed: 'Closed by the client',
  refused: 'Closed by the server',
  timed_out: 'Timed out',
  server_stopped: 'Server stopped',
};

/** Returns why a session ended, in words. */
export function endOf({ ending }: SmtpSession): string {
  return ending === null ? 'Open' : ENDINGS[ending];
}

/** Returns the number of accepted messages in words. */
export function messagesOf({ transactions, omitted_transactions }: SmtpSession): string {
  const accepted = transactions.filter(({ state }) => state === 'accepted').length + omitted_transactions;
  return accepted === 1 ? '1 message' : `${accepted} messages`;
}
