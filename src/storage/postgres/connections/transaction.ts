import { Client, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import type { Savepoints } from '../../common/commit.js';
import { PendingInserts } from '../statements/inserts.js';
import { ReadCache } from '../statements/read-cache.js';
import type { Numbers, Runner, StatementText } from '../statements/sql.js';
import { connectionTo } from './database-url.js';
import { isIdleTimeout } from './errors.js';

/** Number of attempts to find out whether a commit succeeded whose connection was lost, and the pause between them. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** Finds out over a new connection whether a transaction was committed. False if the database stays unavailable. */
async function wasCommitted(url: string, transactionId: string): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const status = await statusOf(url, transactionId).catch(() => undefined);
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

async function statusOf(url: string, transactionId: string): Promise<string> {
  const client = new Client(connectionTo(url, 'svc outcome'));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ status: string }>('SELECT pg_xact_status($1::text::xid8) AS status', [
      transactionId,
    ]);
    return rows[0]?.status ?? '';
  } finally {
    await client.end().catch(() => {});
  }
}

/** The numbers of the last email, event and commit, as in the table `ledger`. */
interface Ledger {
  emails: number;
  events: number;
  commits: number;
}

const READ_LEDGER: QueryArrayConfig = {
  name: 'ledger',
  text: 'SELECT emails, events, commits, pg_current_xact_id()::text FROM ledger FOR UPDATE',
  rowMode: 'array',
};
/** How long a transaction waits for those of other processes. */
export interface LockTimes {
  /** Milliseconds after which a wait is reported. */
  reportMs: number;
  /** Milliseconds after which the transaction fails. */
  failMs: number;
}

/**
 * Milliseconds after which PostgreSQL ends the transaction of a process that does not continue, for example because it
 * was stopped: those of all others wait for it.
 */
const IDLE_MS = 3_000;

/** Several processes may be stopped one after the other, and a wait outlives each of their transactions. */
export const LOCK_TIMES: LockTimes = { reportMs: 5_000, failMs: 45_000 };

/** Tables whose deleted rows take rows of other tables with them. */
const OWNERS = new Set(['emails', 'received', 'deliveries']);
const WRITE_LEDGER = 'UPDATE ledger SET emails = $1, events = $2, commits = $3';

/**
 * Runs transactions over a connection of its own, one at a time. Statements are sent without waiting for earlier ones,
 * and inserted rows are collected. The transaction locks the ledger first, so all processes write one after the other,
 * and in the order of the numbers that they assign.
 */
export class WriteTransaction implements Runner, Savepoints, Numbers {
  #client: Client | undefined;
  #ledger: Ledger = { emails: 0, events: 0, commits: 0 };
  #stored = this.#ledger;
  #id = '';
  /** Whether each write has a savepoint, so that an error of PostgreSQL undoes only that write. */
  #hasSavepoints = false;
  /** Whether the current write has changed rows other than by collected inserts. */
  #hasChanged = false;
  readonly #inserts = new PendingInserts((query) => this.#send(query));
  readonly #reads = new ReadCache();
  /** Statements whose results no caller waits for. */
  #sent: Promise<unknown>[] = [];
  #failure: { error: unknown } | undefined;
  /** Whether PostgreSQL ended the transaction because this process did not continue. */
  #wasIdle = false;

  constructor(
    private readonly url: string,
    private readonly lock: LockTimes & { onReport(): void },
  ) {}

  get isOpen(): boolean {
    return true;
  }

  /** Whether PostgreSQL rolled back the transaction because this process did not continue: it may run again. */
  get wasIdle(): boolean {
    return this.#wasIdle;
  }

  run(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    if (!statement.isRead) {
      this.#change(statement);
      return this.#run(statement.query(values));
    }
    return this.#reads.answer(statement, values, () => {
      this.#inserts.flushNamed(statement.words);
      return this.#run(statement.query(values));
    });
  }

  send(statement: StatementText, values: unknown[]): void {
    if (statement.insert) {
      this.#reads.drop(statement.changed);
      this.#inserts.add(statement.insert, values);
      return;
    }
    this.#change(statement);
    this.#send(statement.query(values));
  }

  next(name: 'emails' | 'events'): number {
    this.#ledger[name] += 1;
    return this.#ledger[name];
  }

  last(name: 'emails' | 'events'): number {
    return this.#ledger[name];
  }

  /** Raises a number, so that the next ones are higher. */
  raise(name: 'emails' | 'events', atLeast: number): void {
    this.#ledger[name] = Math.max(this.#ledger[name], atLeast);
  }

  /** Returns the number of this commit. */
  nextCommit(): number {
    this.#ledger.commits += 1;
    return this.#ledger.commits;
  }

  /**
   * Begins a transaction and waits for those of other processes. Without savepoints it is faster, but an error of
   * PostgreSQL fails all its writes. The error has the code 55P03 if another session keeps the lock.
   */
  async begin({ savepoints }: { savepoints: boolean }): Promise<void> {
    await this.#connect();
    this.#hasSavepoints = savepoints;
    this.#inserts.clear();
    this.#reads.clear();
    this.#sent = [];
    this.#failure = undefined;
    this.#wasIdle = false;
    this.#sendText('BEGIN');
    const { rows } = await this.#reported(this.#run(READ_LEDGER));
    const [emails, events, commits, id] = rows[0] as [number, number, number, string];
    this.#ledger = { emails, events, commits };
    this.#stored = { ...this.#ledger };
    this.#id = id;
  }

  /** Reports a wait for the lock of another session. */
  async #reported<T>(locked: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.lock.onReport(), this.lock.reportMs);
    try {
      return await locked;
    } finally {
      clearTimeout(timer);
    }
  }

  attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    return this.#hasSavepoints ? this.#attemptInSavepoint(work) : this.#attemptWithout(work);
  }

  /** Undoes a work that throws by removing the rows that it added, if it has not changed anything else. */
  async #attemptWithout<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    const before = { ...this.#ledger };
    this.#inserts.seal();
    this.#hasChanged = false;
    try {
      return { value: await work() };
    } catch (error) {
      if (this.#failure || this.#hasChanged || this.#inserts.hasSentRows) throw error;
      this.#inserts.undo();
      this.#reads.clear();
      this.#ledger = before;
      return { error };
    }
  }

  async #attemptInSavepoint<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    const before = { ...this.#ledger };
    this.#sendText('SAVEPOINT work');
    try {
      const value = await work();
      this.#inserts.flush();
      await this.#settle();
      this.#sendText('RELEASE work');
      return { value };
    } catch (error) {
      this.#inserts.clear();
      this.#reads.clear();
      await Promise.all(this.#sent.splice(0));
      // Later statements fail because of the first one.
      const cause = this.#failure?.error ?? error;
      this.#failure = undefined;
      await this.#run({ text: 'ROLLBACK TO work', rowMode: 'array' });
      this.#sendText('RELEASE work');
      this.#ledger = before;
      return { error: cause };
    }
  }

  /** Commits. If the connection is lost meanwhile, finds out over another one whether it succeeded. */
  async commit(): Promise<void> {
    const { emails, events, commits } = this.#ledger;
    this.#inserts.flush();
    if (emails !== this.#stored.emails || events !== this.#stored.events || commits !== this.#stored.commits)
      this.#send({ name: 'write ledger', text: WRITE_LEDGER, values: [emails, events, commits], rowMode: 'array' });
    try {
      // PostgreSQL answers ROLLBACK if a statement before it failed.
      const { command } = await this.#run({ text: 'COMMIT', rowMode: 'array' });
      await this.#settle();
      if (command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${command}`);
    } catch (error) {
      if (this.#client || !(await wasCommitted(this.url, this.#id))) throw error;
    }
  }

  /** Rolls back, unless the connection was lost. */
  async rollback(): Promise<void> {
    if (!this.#client) return;
    await Promise.all(this.#sent.splice(0));
    await this.#run({ text: 'ROLLBACK', rowMode: 'array' }).catch(() => this.close());
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  /** Sends what a statement depends on, before it changes rows. */
  #change({ changed, words }: StatementText): void {
    this.#hasChanged = true;
    if (OWNERS.has(changed)) {
      this.#reads.clear();
      this.#inserts.flush();
    } else {
      this.#reads.drop(changed);
      this.#inserts.flushNamed(words);
    }
  }

  #run(query: QueryArrayConfig): Promise<QueryArrayResult> {
    if (!this.#client) return Promise.reject(new Error('Connection terminated'));
    return this.#client.query(query).catch((error: unknown) => {
      this.#wasIdle ||= isIdleTimeout(error);
      this.#failure ??= { error };
      throw error;
    });
  }

  #send(query: QueryArrayConfig): void {
    // `#settle` throws the error.
    this.#sent.push(this.#run(query).catch(() => {}));
  }

  #sendText(text: string): void {
    this.#send({ text, rowMode: 'array' });
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
    const failure = this.#failure;
    if (failure) throw failure.error;
  }

  async #connect(): Promise<void> {
    if (this.#client) return;
    const times = { lock_timeout: this.lock.failMs, idle_in_transaction_session_timeout: IDLE_MS };
    const client = new Client({ ...connectionTo(this.url, 'svc writer'), ...times, pipeline: true } as never);
    client.on('error', (error) => {
      this.#wasIdle ||= isIdleTimeout(error);
      this.#forget(client);
    });
    client.on('end', () => this.#forget(client));
    await client.connect();
    this.#client = client;
  }

  #forget(client: Client): void {
    if (this.#client === client) this.#client = undefined;
  }
}
