import type Database from 'better-sqlite3';
import { type Committed, type Reads, type Store, StoreUnavailableError, type Transaction } from '../../core/ports.js';
import { ApiKeyTable } from './api-keys.js';
import { DeliveryTable } from './deliveries.js';
import { DomainTable } from './domains.js';
import { EmailTable } from './emails.js';
import { EventTable } from './events.js';
import { JobTable } from './jobs.js';
import { type Location, openDatabase } from './open.js';
import { RequestTable } from './requests.js';
import { emptyTables } from './reset.js';
import { RuleTable } from './rules.js';
import { SettingTable } from './settings.js';
import { SuppressionTable } from './suppressions.js';
import { TemplateTable } from './templates.js';
import { WebhookTable } from './webhooks.js';

/** Bounds how long one commit keeps the event loop: some 10 ms of inserts. */
const WORKS_PER_COMMIT = 256;

const NOTHING: Committed = { events: false, jobs: false };

interface Work {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens the store in a file, or in memory.
 * @throws UnusableDatabaseError when the file is not svc's, or cannot be read and written.
 */
export function openSqliteStore(location: Location): Store {
  return new SqliteStore(openDatabase(location));
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
  readonly #joiners = new Set<(committing: Committed) => void>();
  readonly #queue: Work[] = [];
  readonly #control;
  #flushing: Promise<void> | undefined;
  #closed = false;
  #committed: Committed = { ...NOTHING };

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
      rules: new RuleTable(db),
      suppressions: new SuppressionTable(db),
      requests: new RequestTable(db),
    };
    this.read = tables;
    this.#tx = {
      ...tables,
      reset: async () => {
        emptyTables(db);
        // What works before it in the same commit counted is gone with their events.
        this.#events.dropCommit();
      },
    };
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: work, resolve: resolve as Work['resolve'], reject });
      this.#schedule();
    });
  }

  beforeCommit(listener: (committing: Committed) => void): () => void {
    this.#joiners.add(listener);
    return () => this.#joiners.delete(listener);
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
      for (const work of this.#joining()) {
        works.push(work);
        settle.push(await this.#run(work));
      }
      this.#events.writeCounts();
      this.#control.commit.run();
    } catch (error) {
      // The disk is full, say: nothing of this commit holds, and everyone who asked for it is told.
      for (const { reject } of works) reject(unavailable(error));
      this.#events.dropCommit();
      this.#committed = { ...NOTHING };
      if (this.db.inTransaction) this.#control.rollback.run();
      return;
    }
    for (const each of settle) each();
    const committed = this.#committed;
    this.#committed = { ...NOTHING };
    if (committed.events || committed.jobs) for (const listener of this.#listeners) listener(committed);
  }

  /** What is asked for because of what is about to be committed, and belongs to the same commit. */
  #joining(): Work[] {
    if (!this.#committed.events && !this.#committed.jobs) return [];
    const asked = this.#queue.length;
    for (const listener of this.#joiners) listener(this.#committed);
    return this.#queue.splice(asked);
  }

  /** Runs one work in a savepoint; answers what to tell its asker once the commit holds. */
  async #run({ run, resolve, reject }: Work): Promise<() => void> {
    const before = { ...this.#committed };
    this.#control.savepoint.run();
    try {
      const value = await run(this.#tx);
      this.#control.release.run();
      this.#events.keepWork();
      return () => resolve(value);
    } catch (error) {
      this.#events.dropWork();
      this.#committed = before;
      // SQLite undoes the whole transaction by itself on some errors, a full disk among them.
      if (!this.db.inTransaction) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      return () => reject(isOfTheDisk(error) ? unavailable(error) : error);
    }
  }
}

/** Result codes that say nothing of the work and everything of the machine. https://www.sqlite.org/rescode.html */
const OF_THE_DISK = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM)/;

function isOfTheDisk(error: unknown): boolean {
  return OF_THE_DISK.test((error as { code?: string } | null)?.code ?? '');
}

function unavailable(error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`The database cannot be written: ${reason}`, { cause: error });
}
