import { Pool, type QueryArrayResult } from 'pg';
import { SearchTimeoutError, StoreClosedError } from '../../../core/store.js';
import { PostgresSql, type StatementText } from '../statements/sql.js';
import { connectionTo } from './database-url.js';
import { isCanceled, isOverTime, named } from './errors.js';

interface Running {
  answer: Promise<QueryArrayResult>;
  /** The answer for callers since then: `answer` may be older than what they must see. */
  next?: Promise<QueryArrayResult>;
}

/** Runs a read once for all callers that wait for the same one, such as that of an API key. */
class SharedReads {
  readonly #running = new Map<StatementText, Map<string, Running>>();

  constructor(private readonly run: (statement: StatementText, values: unknown[]) => Promise<QueryArrayResult>) {}

  answer(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    let ofStatement = this.#running.get(statement);
    if (!ofStatement) {
      ofStatement = new Map();
      this.#running.set(statement, ofStatement);
    }
    const key = JSON.stringify(values);
    const running = ofStatement.get(key);
    if (!running) return this.#start(ofStatement, key, statement, values);
    const start = () => this.#start(ofStatement, key, statement, values);
    running.next ??= running.answer.then(start, start);
    return running.next;
  }

  #start(
    ofStatement: Map<string, Running>,
    key: string,
    statement: StatementText,
    values: unknown[],
  ): Promise<QueryArrayResult> {
    const running: Running = { answer: this.run(statement, values) };
    ofStatement.set(key, running);
    const end = () => {
      // Otherwise the next one has taken its place.
      if (!running.next) ofStatement.delete(key);
      if (ofStatement.size === 0) this.#running.delete(statement);
    };
    running.answer.then(end, end);
    return running.answer;
  }
}

/** A use of connections, which no other use may delay. */
export interface ReadersUse {
  /** The name of its connections in pg_stat_activity. */
  name: string;
  /** Maximum number of connections. */
  max: number;
  /** Milliseconds that a statement waits for a connection. */
  waitMs?: number;
  /** A statement that each connection begins with. PgBouncer does not pass on all settings of a connection. */
  first?: string;
  /** Whether connections stay open while they are not used. */
  stays?: boolean;
  /** Converts an error of PostgreSQL. */
  fail?(error: unknown): unknown;
}

export const READS: ReadersUse = { name: 'svc reader', max: 10 };

/** Limits of searches. */
export interface SearchTimes {
  /** Milliseconds after which PostgreSQL ends a statement of a search. */
  statementMs: number;
  /** Milliseconds that a statement waits for those of other searches. */
  waitMs: number;
}

export const SEARCH_TIMES: SearchTimes = { statementMs: 5_000, waitMs: 30_000 };

/** Returns the use of searches. Its connections are few, because each may keep a core of PostgreSQL busy. */
export function searchesUse(times: SearchTimes): ReadersUse {
  return {
    name: 'svc search',
    max: 2,
    waitMs: times.waitMs,
    first: `SET statement_timeout = ${times.statementMs}; SET max_parallel_workers_per_gather = 0`,
    fail: (error) => (isOverTime(error) ? searchTimeout(error, times) : error),
  };
}

/** Load balancers ask whether the server is ready. No other work may delay the answer. */
export const PROBES: ReadersUse = { name: 'svc probe', max: 1, stays: true };

function searchTimeout(error: unknown, { statementMs, waitMs }: SearchTimes): SearchTimeoutError {
  return new SearchTimeoutError(
    isCanceled(error)
      ? `The search took longer than ${statementMs / 1_000} s in the database`
      : `The search waited longer than ${waitMs / 1_000} s for other searches`,
    { cause: error },
    'Narrow the search: add a date such as "after:1d", a whole address, or a text of three characters or more.',
  );
}

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
    private readonly use: ReadersUse,
    private readonly onInternalError: (error: unknown) => void,
  ) {
    const { name, max, waitMs, first, stays } = use;
    this.pool = new Pool({
      ...connectionTo(url, name),
      max,
      ...(waitMs !== undefined && { connectionTimeoutMillis: waitMs }),
      ...(stays && { idleTimeoutMillis: 0 }),
      ...(first && { onConnect: async (client) => void (await client.query(first)) }),
    });
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
    const answer = this.pool.query(statement.query(values)).catch((error: unknown) => {
      throw this.use.fail?.(error) ?? error;
    });
    this.#running.add(answer);
    const end = () => this.#running.delete(answer);
    answer.then(end, end);
    return answer;
  }

  #send(statement: StatementText, values: unknown[]): void {
    this.#run(statement, values).catch((error: unknown) => this.onInternalError(named(error)));
  }
}
