import { Pool, type QueryArrayResult } from 'pg';
import { StoreClosedError } from '../../../core/store.js';
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
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(
    url: string,
    private readonly onInternalError: (error: unknown) => void,
  ) {
    this.pool = new Pool({ ...connectionTo(url, 'svc reader'), max: READERS_MAX });
    // A lost connection is replaced; the query that used it reports its error.
    this.pool.on('error', () => {});
    const run = (statement: StatementText, values: unknown[]) => this.#run(statement, values);
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

  /** Waits for the statements that were begun, and refuses others with StoreClosedError. */
  async close(): Promise<void> {
    this.#closed = true;
    // The pool never answers those that wait for a connection when it ends.
    await Promise.allSettled(this.#running);
    await this.pool.end();
  }

  #run(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    if (this.#closed) return Promise.reject(new StoreClosedError());
    const answer = this.pool.query(statement.query(values));
    this.#running.add(answer);
    const end = () => this.#running.delete(answer);
    answer.then(end, end);
    return answer;
  }

  #send(statement: StatementText, values: unknown[]): void {
    this.#run(statement, values).catch((error: unknown) => this.onInternalError(named(error)));
  }
}
