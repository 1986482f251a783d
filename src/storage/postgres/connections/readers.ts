import { Pool } from 'pg';
import { SharedReads } from '../statements/shared-reads.js';
import { PostgresSql } from '../statements/sql.js';
import type { StatementText } from '../statements/statement-text.js';
import { connectionTo } from './database-url.js';
import { named } from './errors.js';

/** Maximum number of connections for reads. */
const READERS_MAX = 10;

/** Runs statements outside of the transactions of writes, over a pool of connections. */
export class Readers {
  readonly pool: Pool;
  /** Answers callers that wait for the same read together. */
  readonly sql: PostgresSql;
  /** Runs each statement by itself. Its errors are those of the core. */
  readonly alone: PostgresSql;

  constructor(
    url: string,
    private readonly onInternalError: (error: unknown) => void,
  ) {
    this.pool = new Pool({ ...connectionTo(url, 'svc reader'), max: READERS_MAX });
    // A lost connection is replaced; the query that used it reports its error.
    this.pool.on('error', () => {});
    const run = (statement: StatementText, values: unknown[]) => this.pool.query(statement.query(values));
    const shared = new SharedReads(run);
    const send = (statement: StatementText, values: unknown[]) => this.#send(statement, values);
    this.sql = new PostgresSql({
      run: (statement, values) => (statement.isRead ? shared.answer(statement, values) : run(statement, values)),
      send,
      isOpen: true,
    });
    const runNamed = (statement: StatementText, values: unknown[]) =>
      run(statement, values).catch((error: unknown) => {
        throw named(error);
      });
    this.alone = new PostgresSql({ run: runNamed, send, isOpen: true });
  }

  /** Returns the number of connections in each state, and of reads that wait for one. */
  connections(): Record<'busy' | 'idle' | 'waiting', number> {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  #send(statement: StatementText, values: unknown[]): void {
    this.pool.query(statement.query(values)).catch((error: unknown) => this.onInternalError(named(error)));
  }
}
