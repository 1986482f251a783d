import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { MAILBOX_CHARACTERS } from '../../../contract/vocabulary/limits.js';
import type { Snapshot } from '../../../core/store.js';
import type { StagedState } from '../../../core/transaction.js';
import { DATABASE_FILE } from '../../data-dir-files.js';
import { orUnavailable } from '../disk-errors.js';
import { migrate, versionOf } from '../migrations.js';
import { deleteUnreferencedChunks, recountEmails, tableNames } from '../reset.js';
import { IMPORTED_KEY_MAX } from '../rows/keys.js';
import { connect } from './connect.js';
import { makeTransferDir, removeTransferDir } from './open.js';
import { writeStagedFile } from './staged-file.js';

/** Writes and reads the databases of archives for a store of another engine. They are in the temporary directory. */

export interface ArchiveTable {
  name: string;
  columns: { name: string; type: 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' }[];
}

/** The last numbers that were assigned to rows of tables. */
export type LastNumbers = Record<string, number>;

/** Returns the tables of an archive. Those that others refer to come first. */
function tablesOf(db: Database.Database): ArchiveTable[] {
  return tableNames(db).map((name) => ({
    name,
    columns: db.pragma(`table_info("${name}")`) as ArchiveTable['columns'],
  }));
}

/** A database that is being written for an archive. The caller must finish or discard it. */
export class NewArchive {
  readonly tables: readonly ArchiveTable[];
  readonly #directory = makeTransferDir('memory');
  readonly #file = join(this.#directory, DATABASE_FILE);
  readonly #db: Database.Database;

  /** @throws StoreUnavailableError if the disk has too little space. */
  constructor() {
    try {
      this.#db = connect(this.#file);
    } catch (error) {
      removeTransferDir(this.#directory);
      throw orUnavailable(error);
    }
    try {
      this.#db.pragma('journal_mode = OFF');
      this.#db.pragma('synchronous = OFF');
      migrate(this.#db);
      // Tables are complete only at the end.
      this.#db.pragma('foreign_keys = OFF');
      this.#db.exec('BEGIN');
      this.tables = tablesOf(this.#db);
    } catch (error) {
      this.discard();
      throw orUnavailable(error);
    }
  }

  /** Inserts rows, which have the values of the table's columns in their order. */
  insert({ name, columns }: ArchiveTable, rows: readonly unknown[][]): void {
    try {
      const statement = this.#db.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`);
      for (const row of rows) statement.run(row);
    } catch (error) {
      orUnavailable(error);
    }
  }

  finish(last: LastNumbers): Snapshot {
    try {
      const counted = `SELECT name FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'`;
      for (const [name, number] of Object.entries(last)) {
        if (!this.#db.prepare(counted).get(name)) continue;
        this.#db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
        this.#db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, BigInt(number));
      }
      this.#db.exec('COMMIT');
      const schemaVersion = versionOf(this.#db);
      this.#db.close();
      return {
        schemaVersion,
        size: statSync(this.#file).size,
        read: () => createReadStream(this.#file),
        discard: async () => removeTransferDir(this.#directory),
      };
    } catch (error) {
      return orUnavailable(error);
    }
  }

  discard(): void {
    this.#db.close();
    removeTransferDir(this.#directory);
  }
}

/** The database of an archive, checked and migrated. */
export class StagedArchive implements StagedState {
  readonly tables: readonly ArchiveTable[];
  readonly #db: Database.Database;

  /**
   * Writes the database to a file.
   * @throws UnusableStateError if it is not svc's, is of a newer svc, or is damaged.
   * @throws StoreUnavailableError if the disk has too little space.
   */
  static async from(bytes: AsyncIterable<Uint8Array>): Promise<StagedArchive> {
    const { file, setAside, remove } = await writeStagedFile(bytes, 'memory').catch(orUnavailable);
    let db: Database.Database | undefined;
    try {
      db = connect(file);
      // Those of messages that were being received when the archive was created.
      deleteUnreferencedChunks(db);
      dropLongSenders(db);
      return new StagedArchive(db, setAside, remove);
    } catch (error) {
      db?.close();
      remove();
      return orUnavailable(error);
    }
  }

  private constructor(
    db: Database.Database,
    readonly setAside: number,
    private readonly remove: () => void,
  ) {
    this.#db = db;
    this.tables = tablesOf(db);
  }

  /** Returns the rows of a table in their order. Only one table can be read at a time. */
  rows({ name, columns }: ArchiveTable): IterableIterator<unknown[]> {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const order = columns.some((column) => column.name === 'seq') ? 'ORDER BY seq' : '';
    return this.#db.prepare(`SELECT ${names} FROM "${name}" ${order}`).raw().iterate() as IterableIterator<unknown[]>;
  }

  /** Returns the last numbers, without those that svc cannot have reached. */
  lastNumbers(): LastNumbers {
    const rows = this.#db
      .prepare(
        `SELECT name, max(seq) FROM sqlite_sequence
         WHERE typeof(seq) = 'integer' AND seq BETWEEN 0 AND ${IMPORTED_KEY_MAX} GROUP BY name`,
      )
      .raw()
      .all() as [string, number][];
    return Object.fromEntries(rows);
  }

  async discard(): Promise<void> {
    this.#db.close();
    this.remove();
  }
}

/** Drops senders that are too long to be an address, which earlier versions kept. Other engines cannot index them. */
function dropLongSenders(db: Database.Database): void {
  const { changes } = db
    .prepare("UPDATE emails SET sender_mailbox = '' WHERE length(sender_mailbox) > ?")
    .run(MAILBOX_CHARACTERS);
  if (changes > 0) recountEmails(db);
}
