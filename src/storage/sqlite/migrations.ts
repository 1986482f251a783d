import type Database from 'better-sqlite3';
import type { MigrationStep } from '../../core/store.js';
import {
  lastVersion,
  missingMigrations,
  refuseOtherVersions,
  UnusableDatabaseError,
} from '../common/schema-version.js';
import { APPLICATION_ID } from '../data-dir-files.js';
import schema from './schema.sql';

/**
 * Every migration in order. The first one creates the schema, with version 100; each later one adds 1. A released
 * migration never changes, except comments outside of its statements. Long ones may be SQL files like the first one.
 */
export const migrations: readonly string[] = [schema];

const EARLIER_ADVICE = 'Move the file away, or choose another directory with --data-dir.';

/**
 * Migrates a database to the current schema. Marks a new file as svc's. `onStep` is called before each migration of a
 * database that has a schema.
 * @throws UnusableDatabaseError with the file and the reason, for a database of another program or version.
 */
export function migrate(
  db: Database.Database,
  known: readonly string[] = migrations,
  onStep?: (step: MigrationStep) => void,
): void {
  refuseForeign(db, { known });
  if (versionOf(db) === lastVersion(known)) return;
  // A migration that recreates a table drops the old one, which must not delete the rows that refer to it.
  db.pragma('foreign_keys = OFF');
  db.transaction(() => {
    // Checks again under the lock, because another process may have migrated meanwhile.
    refuseForeign(db, { known });
    const missing = missingMigrations(known, versionOf(db));
    const emails = versionOf(db) > 0 && missing.length > 0 ? countEmails(db) : 0;
    for (const [index, sql] of missing.entries()) {
      if (emails > 0) onStep?.({ step: index + 1, steps: missing.length, emails });
      db.exec(sql);
    }
    const [broken] = db.pragma('foreign_key_check') as { table: string }[];
    if (broken) throw new Error(`a migration left rows of ${broken.table} that refer to nothing`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${lastVersion(known)}`);
  }).immediate();
  db.pragma('foreign_keys = ON');
}

function countEmails(db: Database.Database): number {
  return db.prepare('SELECT count(*) FROM emails').pluck().get() as number;
}

interface MigrateOptions {
  known?: readonly string[];
  /** The database's name for error messages. */
  name?: string;
}

/**
 * Rejects databases that this svc cannot use.
 * @throws UnusableDatabaseError for a database of another program, or of another version of svc.
 */
export function refuseForeign(
  db: Database.Database,
  { known = migrations, name = db.name }: MigrateOptions = {},
): void {
  const owner = db.pragma('application_id', { simple: true }) as number;
  const version = versionOf(db);
  if (owner !== APPLICATION_ID) {
    const tables = db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() as number;
    // Another svc may have marked the file since the first check.
    const ownerNow = db.pragma('application_id', { simple: true }) as number;
    if (ownerNow !== APPLICATION_ID && (owner !== 0 || version !== 0 || tables > 0)) {
      throw new UnusableDatabaseError(`${name} is a database of another program; svc does not change it.`);
    }
  }
  refuseOtherVersions({ name, version }, known, EARLIER_ADVICE);
}

export function versionOf(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}
