import type { SetAside } from '../../../core/store.js';
import { BadRowError, type Columns, type Row } from '../../common/rows/columns.js';
import type { Awaitable, Parse, Rows, Sql } from '../../common/sql.js';

export interface RowHooks {
  /** Called once for each row that could not be used. */
  onSetAside?(row: SetAside): void;
  /** Called with an error that no caller waits for. */
  onInternalError?(error: unknown): void;
}

/** Maximum number of bad rows of which it is remembered that they were reported. */
const REPORTED_MAX = 1_000;

/** Reads rows, and leaves out those that cannot be used. PostgreSQL's own tools can repair them. Parks due work. */
export class SkippingRows implements Rows {
  readonly #reported = new Set<string>();

  constructor(
    private readonly hooks: RowHooks,
    private readonly park: Park,
  ) {}

  async all<T>(table: string, query: () => Awaitable<Columns[]>, parse: Parse<T>): Promise<T[]> {
    for (;;) {
      let isParked = false;
      const records: T[] = [];
      for (const columns of await query()) {
        try {
          records.push(parse(columns));
        } catch (error) {
          if (!(error instanceof BadRowError)) throw error;
          const row = columns.toRow();
          this.setAside(table, row, error.message);
          isParked = (await this.park(table, row, error.message)) || isParked;
        }
      }
      // Reads again, because the parked rows leave the page incomplete.
      if (!isParked) return records;
    }
  }

  async one<T>(table: string, query: () => Awaitable<Columns | undefined>, parse: Parse<T>): Promise<T | undefined> {
    const columns = await query();
    return columns && (await this.all(table, () => [columns], parse))[0];
  }

  setAside(table: string, row: Row, reason: string): boolean {
    const key = String(row.seq ?? row.email_seq ?? row.id ?? row.name ?? '');
    const known = `${table} ${key} ${reason}`;
    if (this.#reported.has(known)) return false;
    if (this.#reported.size < REPORTED_MAX) this.#reported.add(known);
    try {
      this.hooks.onSetAside?.({ table, key, reason });
    } catch (error) {
      this.hooks.onInternalError?.(error);
    }
    return false;
  }
}

/** Removes a bad row from the work that is due. Returns whether it was due. */
type Park = (table: string, row: Row, reason: string) => Promise<boolean>;

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
