import Database from 'better-sqlite3';
import type { Committed, Reads, Store, Transaction } from '../../core/ports.js';
import { ApiKeyTable } from './api-keys.js';
import { DeliveryTable } from './deliveries.js';
import { DomainTable } from './domains.js';
import { EmailTable } from './emails.js';
import { EventTable } from './events.js';
import { JobTable } from './jobs.js';
import { migrate, UnusableDatabaseError } from './migrations.js';
import { SettingTable } from './settings.js';
import { TemplateTable } from './templates.js';
import { WebhookTable } from './webhooks.js';

/** How long a write waits for another process that is committing. */
const BUSY_TIMEOUT_MS = 5_000;
/** Bounds how long one commit keeps the event loop: some 10 ms of inserts. */
const WORKS_PER_COMMIT = 256;

interface Work {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens the store in a file, or in memory.
 * @throws UnusableDatabaseError when the file is not svc's, or cannot be opened.
 */
export function openSqliteStore(location: { file: string } | 'memory'): Store {
  return new SqliteStore(open(location));
}

function open(location: { file: string } | 'memory'): Database.Database {
  const name = location === 'memory' ? ':memory:' : location.file;
  let db: Database.Database | undefined;
  try {
    db = new Database(name, { timeout: BUSY_TIMEOUT_MS });
    migrate(db);
    db.pragma('journal_mode = WAL');
    // FULL: a commit is acknowledged when the write-ahead log has been flushed to the disk.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -32768');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof UnusableDatabaseError) throw error;
    const reason =
      (error as { code?: string }).code === 'SQLITE_NOTADB' ? 'it is not an SQLite database' : (error as Error).message;
    throw new UnusableDatabaseError(`${name} cannot be used: ${reason}`, { cause: error });
  }
}

/**
 * The store on better-sqlite3. SQLite is synchronous, so what is asked for in one turn of the event loop is collected and
 * committed together: one flush to the disk for all of it. Each work runs in a savepoint and can fail alone.
 */
class SqliteStore implements Store {
  readonly read: Reads;
  readonly #tx: Transaction;
  readonly #events: EventTable;
  readonly #listeners = new Set<(committed: Committed) => void>();
  readonly #queue: Work[] = [];
  readonly #control;
  #flushing: Promise<void> | undefined;
  #closed = false;
  #committed: Committed = { events: false, jobs: false };

  constructor(private readonly db: Database.Database) {
    this.#control = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      savepoint: db.prepare('SAVEPOINT work'),
      release: db.prepare('RELEASE work'),
      undo: db.prepare('ROLLBACK TO work'),
    };
    this.#events = new EventTable(db, () => {
      this.#committed.events = true;
    });
    const webhooks = new WebhookTable(db);
    const tables = {
      emails: new EmailTable(db),
      events: this.#events,
      jobs: new JobTable(db, () => {
        this.#committed.jobs = true;
      }),
      templates: new TemplateTable(db),
      domains: new DomainTable(db),
      apiKeys: new ApiKeyTable(db),
      webhooks,
      deliveries: new DeliveryTable(db, this.#events, webhooks),
      settings: new SettingTable(db),
    };
    this.read = tables;
    this.#tx = tables;
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: work, resolve: resolve as Work['resolve'], reject });
      this.#schedule();
    });
  }

  onCommit(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#flushing) await this.#flushing;
    if (this.db.open) this.db.close();
  }

  #schedule(): void {
    this.#flushing ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#flush(this.#queue.splice(0, WORKS_PER_COMMIT)))
      .finally(() => {
        this.#flushing = undefined;
        if (this.#queue.length > 0) this.#schedule();
      });
  }

  async #flush(works: Work[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      this.#control.begin.run();
      for (const work of works) settle.push(await this.#run(work));
      this.#events.writeCounts();
      this.#control.commit.run();
    } catch (error) {
      // The disk is full, say: nothing of this commit holds, and everyone who asked for it is told.
      this.#events.dropCommit();
      if (this.db.inTransaction) this.#control.rollback.run();
      for (const { reject } of works) reject(error);
      return;
    }
    for (const each of settle) each();
    const committed = this.#committed;
    this.#committed = { events: false, jobs: false };
    if (committed.events || committed.jobs) for (const listener of this.#listeners) listener(committed);
  }

  /** Runs one work in a savepoint; answers what to tell its asker once the commit holds. */
  async #run({ run, resolve, reject }: Work): Promise<() => void> {
    this.#control.savepoint.run();
    try {
      const value = await run(this.#tx);
      this.#control.release.run();
      this.#events.keepWork();
      return () => resolve(value);
    } catch (error) {
      this.#events.dropWork();
      // SQLite undoes the whole transaction by itself on some errors, a full disk among them.
      if (!this.db.inTransaction) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      return () => reject(error);
    }
  }
}
