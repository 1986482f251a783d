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
