import type { Row } from '../../common/rows/rows.js';
import type { Sql } from '../../common/sql.js';

/** Removes a bad row from the work that is due. Returns whether it was due. */
export type Park = (table: string, row: Row, reason: string) => Promise<boolean>;

/**
 * Returns a function that parks bad rows inside transactions. They stay in the database, but no longer come before the
 * work of others: a job ends with the reason as its error, a recipient has no next step, a message is not parsed.
 */
export function parkerOf(sql: Sql): Park {
  const failJob = sql.prepare('UPDATE jobs SET error = ?, lease_until = 0 WHERE seq = ? AND error IS NULL');
  const stopSteps = sql.prepare(
    'UPDATE recipients SET due_at = NULL WHERE email_seq = ? AND mailbox = ? AND due_at IS NOT NULL',
  );
  const leaveUnparsed = sql.prepare('DELETE FROM unparsed WHERE seq = ?');
  return async (table, row, reason) => {
    if (table === 'jobs') return (await failJob.run(reason, row.seq)) > 0;
    if (table === 'recipients') return (await stopSteps.run(row.email_seq, row.mailbox)) > 0;
    if (table === 'received') return (await leaveUnparsed.run(row.seq ?? row.email_seq)) > 0;
    return false;
  };
}
