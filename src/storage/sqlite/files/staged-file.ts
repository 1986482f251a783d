import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Database from 'better-sqlite3';
import { UnusableStateError } from '../../../core/store.js';
import type { StagedState } from '../../../core/transaction.js';
import { OWNER_ONLY } from '../../../file-modes.js';
import { FIRST_VERSION, UnusableDatabaseError } from '../../common/schema-version.js';
import { DATABASE_FILE } from '../../data-dir-files.js';
import { setBadRowsAside } from '../check-rows.js';
import { isDamage } from '../disk-errors.js';
import { migrate, migrations, refuseForeign, versionOf } from '../migrations.js';
import { renewTagForms } from '../repair.js';
import { recountEmails } from '../reset.js';
import { IMPORTED_KEY_MAX } from '../rows/keys.js';
import { isAboutIndex } from '../search/repair-index.js';
import { connect } from './connect.js';
import { type Location, makeTransferDir, removeTransferDir } from './open.js';

/** Number of errors after which SQLite stops checking a database. */
const CHECK_ERRORS = 2;

/** An imported database, attached to the store's connection as `schema`. */
export class StagedFile implements StagedState {
  constructor(
    readonly schema: string,
    readonly setAside: number,
    private readonly remove: () => Promise<void>,
  ) {}

  discard(): Promise<void> {
    return this.remove();
  }
}

/**
 * Writes a database to its own file, checks that svc created it, and migrates it. Nothing in it can run before its
 * schema has been compared with that of its version. Rows that cannot be used are moved to its table `quarantine`.
 * @throws UnusableStateError if it is not svc's, is of another version of svc, or is damaged.
 */
export async function writeStagedFile(
  bytes: AsyncIterable<Uint8Array>,
  location: Location,
): Promise<{ file: string; setAside: number; remove(): void }> {
  const directory = makeTransferDir(location);
  const remove = () => removeTransferDir(directory);
  const file = join(directory, DATABASE_FILE);
  try {
    await pipeline(Readable.from(bytes, { objectMode: true }), createWriteStream(file, { mode: OWNER_ONLY }));
    return { file, setAside: await prepare(file), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function prepare(file: string): Promise<number> {
  const db = connect(file);
  try {
    distrust(db);
    refuseForeign(db, { name: 'The database in the archive' });
    refuseChangedSchema(db);
    refuseDamage(db);
    migrate(db);
    refuseChangedSchema(db);
    // The import checks the settings later, when it reads the clock.
    const setAside = await setBadRowsAside(db, { keyMax: IMPORTED_KEY_MAX, except: ['settings', 'email_counts'] });
    recountEmails(db);
    renewTagForms(db);
    return setAside;
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw new UnusableStateError(error.message);
    if (isForeignContent(error)) throw damaged((error as Error).message);
    throw error;
  } finally {
    db.close();
  }
}

/**
 * Applies SQLite's advice for untrusted files: https://www.sqlite.org/security.html. better-sqlite3 already opens every
 * database in defensive mode, and without memory mapping and extensions.
 */
function distrust(db: Database.Database): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('mmap_size = 0');
}

/**
 * Rejects a schema that svc did not create, because a trigger or a view could run code, and unknown tables would be
 * copied.
 */
function refuseChangedSchema(db: Database.Database): void {
  const reference = connect(':memory:');
  try {
    migrate(reference, migrations.slice(0, versionOf(db) - FIRST_VERSION + 1));
    if (schemaOf(db) === schemaOf(reference)) return;
  } finally {
    reference.close();
  }
  throw new UnusableStateError('The database in the archive is invalid: its tables are not those that svc made.');
}

/** Rejects a damaged file. Reads the whole file once, which takes about a second per gigabyte. */
function refuseDamage(db: Database.Database): void {
  const results = db.pragma(`quick_check(${CHECK_ERRORS})`) as { quick_check: string }[];
  const found = results.map(({ quick_check }) => quick_check).find((text) => text !== 'ok' && !isAboutIndex(text));
  if (found !== undefined || results.length === 0) throw damaged(found ?? 'no result');
  const [broken] = db.pragma('foreign_key_check') as { table: string }[];
  if (broken) throw damaged(`a row of ${broken.table} refers to a row that does not exist`);
}

function damaged(reason: string): UnusableStateError {
  return new UnusableStateError(`The database in the archive is damaged: ${reason}.`);
}

/** Returns a schema as text, to compare two databases. */
function schemaOf(db: Database.Database): string {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').raw().all();
  return JSON.stringify(rows);
}

/** Returns whether an error is caused by a database's content, not by the disk or by svc. */
export function isForeignContent(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string };
  return isDamage(error) || /^SQLITE_(CONSTRAINT|MISMATCH|ERROR|TOOBIG|RANGE)/.test(code);
}
