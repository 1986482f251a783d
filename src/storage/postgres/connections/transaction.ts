import { Client, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import type { Savepoints } from '../../common/commit.js';
import { PendingInserts } from '../statements/inserts.js';
import { AssignedNumbers } from '../statements/numbers.js';
import { PolicyCache } from '../statements/policy-cache.js';
import { ReadCache } from '../statements/read-cache.js';
import type { Numbers, Runner, StatementText } from '../statements/sql.js';
import { connectionTo } from './database-url.js';
import { isIdleTimeout } from './errors.js';
import { wasCommitted } from './outcome.js';

/** The numbers of the last email, event and commit, as in the table `ledger`. */
interface Ledger {
  emails: number;
  events: number;
  commits: number;
}

const READ_LEDGER: QueryArrayConfig = {
  name: 'ledger',
  text: 'SELECT emails, events, commits, policies, pg_current_xact_id()::text FROM ledger FOR UPDATE',
  rowMode: 'array',
};
const READ_POLICIES: QueryArrayConfig = { name: 'policies', text: 'SELECT policies FROM ledger', rowMode: 'array' };

/** A stream that collects what is written to it. */
interface Corkable {
  cork(): void;
  uncork(): void;
}

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

/** How to begin a transaction. */
export interface Beginning {
  /** Runs each write in a savepoint. Without them it is faster, but an error of PostgreSQL fails all writes. */
  savepoints: boolean;
  /** Locks the ledger before the first write, so that nothing that a write reads can change. */
  locked: boolean;
}

/** What writes read before the lock has changed until then. They must run again. */
export class StaleReadError extends Error {
  constructor() {
    super('another process changed what this transaction has read');
  }
}

/**
 * Runs transactions over a connection of its own, one at a time. Writes are prepared first: inserted rows and other
 * statements without a result are collected, and policies are read from memory. The transaction then locks the ledger,
 * so all processes write one after the other, and in the order of the numbers that they assign. It checks the policies,
 * replaces provisional numbers, and sends everything with the COMMIT. A write that reads anything else locks at once.
 */
export class WriteTransaction implements Runner, Savepoints, Numbers {
  #client: Client | undefined;
  #stored: Ledger = { emails: 0, events: 0, commits: 0 };
  readonly #numbers = new AssignedNumbers();
  #commits = 0;
  #id = '';
  #isLocked = false;
  #locking: Promise<void> | undefined;
  /** Statements that wait for the lock. */
  #deferred: QueryArrayConfig[] = [];
  /** Whether each write has a savepoint, so that an error of PostgreSQL undoes only that write. */
  #hasSavepoints = false;
  /** Whether the current write has changed rows other than by collected inserts. */
  #hasChanged = false;
  readonly #inserts = new PendingInserts((query) => this.#send(query));
  readonly #reads = new ReadCache();
  readonly #policies = new PolicyCache();
  #isCorked = false;
  /** Statements whose results no caller waits for. */
  #sent: Promise<unknown>[] = [];
  #failure: { error: unknown } | undefined;
  /** Whether PostgreSQL ended the transaction because this process did not continue. */
  #wasIdle = false;

  constructor(
    private readonly url: string,
    private readonly times: LockTimes & { onReport(): void },
  ) {}

  get isOpen(): boolean {
    return true;
  }

  /** Whether PostgreSQL rolled back the transaction because this process did not continue: it may run again. */
  get wasIdle(): boolean {
    return this.#wasIdle;
  }

  run(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (statement.policy !== '') return this.#runPolicy(statement, values);
    // Nothing has to precede the statement, so it follows the lock at once.
    if (!this.#isLocked && !this.#isPrepared) void this.lock().catch(() => {});
    else if (!this.#isLocked) return this.lock().then(() => this.run(statement, values));
    if (!statement.isRead) {
      this.#change(statement);
      return this.#run(this.#queryOf(statement, values));
    }
    return this.#reads.answer(statement, values, () => {
      this.#inserts.flushNamed(statement.words);
      return this.#run(this.#queryOf(statement, values));
    });
  }

  send(statement: StatementText, values: unknown[]): void {
    if (statement.insert) {
      this.#policies.change(statement.changed);
      this.#reads.drop(statement.changed);
      this.#inserts.add(statement.insert, values);
      return;
    }
    this.#change(statement);
    this.#send(statement.query(values));
  }

  next(name: 'emails' | 'events'): number {
    return this.#numbers.next(name);
  }

  async last(name: 'emails' | 'events'): Promise<number> {
    await this.lock();
    return this.#numbers.last(name);
  }

  /** Raises a number, so that the next ones are higher. The transaction must be locked. */
  raise(name: 'emails' | 'events', atLeast: number): void {
    this.#numbers.raise(name, atLeast);
  }

  /** Returns the number that replaces a provisional one. The transaction must be locked. */
  numberOf(number: number): number {
    return this.#numbers.final(number);
  }

  /** Returns the number of this commit. The transaction must be locked. */
  nextCommit(): number {
    this.#commits += 1;
    return this.#commits;
  }

  /** Begins a transaction. */
  async begin({ savepoints, locked }: Beginning): Promise<void> {
    await this.#connect();
    this.#hasSavepoints = savepoints;
    this.#isLocked = false;
    this.#locking = undefined;
    this.#deferred = [];
    this.#numbers.begin();
    this.#inserts.clear();
    this.#reads.clear();
    this.#policies.begin();
    this.#sent = [];
    this.#failure = undefined;
    this.#wasIdle = false;
    if (locked) await this.lock();
  }

  /**
   * Waits for the transactions of other processes, once. The error has the code 55P03 if another session keeps the lock.
   * @throws StaleReadError if writes must run again.
   */
  lock(): Promise<void> {
    this.#locking ??= this.#lock().catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
    return this.#locking;
  }

  async #lock(): Promise<void> {
    this.#sendText('BEGIN');
    const { rows } = await this.#reported(this.#run(READ_LEDGER));
    const [emails, events, commits, policies, id] = rows[0] as [number, number, number, number, string];
    this.#stored = { emails, events, commits };
    this.#commits = commits;
    this.#id = id;
    if (!(await this.#policies.refresh(policies, (query) => this.#run(query)))) throw new StaleReadError();
    this.#numbers.settle({ emails, events });
    this.#isLocked = true;
    for (const query of this.#deferred.splice(0)) this.#send(query);
  }

  /** Reports a wait for the lock of another session. */
  async #reported<T>(locked: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.times.onReport(), this.times.reportMs);
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
    const before = this.#numbers.mark();
    this.#inserts.seal();
    this.#hasChanged = false;
    try {
      return { value: await work() };
    } catch (error) {
      if (this.#failure) throw this.#failure.error;
      if (this.#hasChanged || this.#inserts.hasSentRows) throw error;
      this.#inserts.undo();
      this.#reads.clear();
      this.#numbers.undo(before);
      return { error };
    }
  }

  async #attemptInSavepoint<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    const before = this.#numbers.mark();
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
      this.#numbers.undo(before);
      return { error: cause };
    }
  }

  /** Commits. If the connection is lost meanwhile, finds out over another one whether it succeeded. */
  async commit(): Promise<void> {
    await this.lock();
    const { emails, events, commits } = this.#stored;
    const [lastEmail, lastEvent] = [this.#numbers.last('emails'), this.#numbers.last('events')];
    this.#inserts.flush();
    if (lastEmail !== emails || lastEvent !== events || this.#commits !== commits) {
      const values = [lastEmail, lastEvent, this.#commits];
      this.#send({ name: 'write ledger', text: WRITE_LEDGER, values, rowMode: 'array' });
    }
    try {
      // PostgreSQL answers ROLLBACK if a statement before it failed.
      const { command } = await this.#run({ text: 'COMMIT', rowMode: 'array' });
      await this.#settle();
      if (command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${command}`);
    } catch (error) {
      if (this.#client || !(await wasCommitted(this.url, this.#id))) throw error;
    }
  }

  /** Rolls back, unless the connection was lost or nothing was sent. */
  async rollback(): Promise<void> {
    if (!this.#client || !this.#locking) return;
    await Promise.all(this.#sent.splice(0));
    await this.#run({ text: 'ROLLBACK', rowMode: 'array' }).catch(() => this.close());
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  /** Whether something has to be checked or sent between the lock and the next statement. */
  get #isPrepared(): boolean {
    return this.#deferred.length > 0 || !this.#inserts.isEmpty || !this.#numbers.isEmpty || this.#policies.isUsed;
  }

  /** Answers a query of policies from memory, or reads them, if possible before the lock. */
  async #runPolicy(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    const kept = this.#policies.use(statement, values, this.#isLocked);
    if (kept) return kept;
    const query = statement.query(values);
    if (this.#locking || this.#policies.isChanged(statement)) {
      await this.lock();
      this.#inserts.flushNamed(statement.words);
      const answer = await this.#run(query);
      this.#policies.keep(statement, values, answer);
      return answer;
    }
    // A change between the two gives the answer an earlier version, so it is read again after the lock.
    const [{ rows }, answer] = await Promise.all([this.#run(READ_POLICIES), this.#run(query)]);
    this.#policies.keep(statement, values, answer, rows[0]?.[0] as number);
    return answer;
  }

  #queryOf(statement: StatementText, values: unknown[]): QueryArrayConfig {
    return statement.query(this.#isLocked ? (this.#numbers.resolve(values) as unknown[]) : values);
  }

  /** Sends what a statement depends on, before it changes rows. */
  #change({ changed, words }: StatementText): void {
    this.#hasChanged = true;
    this.#policies.change(changed);
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
    this.#cork(this.#client);
    return this.#client.query(query).catch((error: unknown) => {
      this.#wasIdle ||= isIdleTimeout(error);
      this.#failure ??= { error };
      throw error;
    });
  }

  /** Sends a statement without a result, after the lock. */
  #send(query: QueryArrayConfig): void {
    if (!this.#isLocked) {
      this.#deferred.push(query);
      return;
    }
    const values = query.values?.map((value) => this.#numbers.resolve(value));
    this.#sendNow(values ? { ...query, values } : query);
  }

  #sendNow(query: QueryArrayConfig): void {
    // `#settle` throws the error.
    this.#sent.push(this.#run(query).catch(() => {}));
  }

  #sendText(text: string): void {
    this.#sendNow({ text, rowMode: 'array' });
  }

  /** Collects what is sent until the end of the current operation: one packet costs less than one per statement. */
  #cork(client: Client): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
    const failure = this.#failure;
    if (failure) throw failure.error;
  }

  async #connect(): Promise<void> {
    if (this.#client) return;
    const times = { lock_timeout: this.times.failMs, idle_in_transaction_session_timeout: IDLE_MS };
    const client = new Client({ ...connectionTo(this.url, 'svc writer'), ...times, pipeline: true } as never);
    client.on('error', (error) => {
      this.#wasIdle ||= isIdleTimeout(error);
      this.#forget(client);
    });
    client.on('end', () => this.#forget(client));
    await client.connect();
    this.#policies.forget();
    this.#client = client;
  }

  #forget(client: Client): void {
    if (this.#client === client) this.#client = undefined;
  }
}
