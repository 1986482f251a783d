import type Database from 'better-sqlite3';
import { normalizeAddress } from '../../contract/vocabulary/parsers/address.js';
import type { MigrationStep } from '../../core/store.js';
import { UnusableDatabaseError } from '../common/unusable-database.js';
import { APPLICATION_ID } from '../data-dir-files.js';
import foundation from './migrations/001-foundation.sql';
import simulation from './migrations/002-simulation.sql';
import requestLog from './migrations/003-request-log.sql';
import jobsByKind from './migrations/004-jobs-by-kind.sql';
import receivedBeforeEmail from './migrations/005-received-before-email.sql';
import quarantine from './migrations/006-quarantine.sql';
import chunks from './migrations/007-chunks.sql';
import warnings from './migrations/008-warnings.sql';
import deliveryDelay from './migrations/009-delivery-delay.sql';
import userAgents from './migrations/010-user-agents.sql';
import mailboxes from './migrations/011-mailboxes.sql';
import search from './migrations/012-search.sql';
import retention from './migrations/013-retention.sql';
import workspaces from './migrations/014-workspaces.sql';
import searchCounts from './migrations/015-search-counts.sql';
import dsn from './migrations/016-dsn.sql';
import smtpSessions from './migrations/017-smtp-sessions.sql';
import faults from './migrations/018-faults.sql';
import importsAndReleases from './migrations/019-imports-and-releases.sql';
import smtpLogins from './migrations/020-smtp-logins.sql';
import unparsedRecipients from './migrations/021-unparsed-recipients.sql';
import requestErrors from './migrations/022-request-errors.sql';
import administratingKeys from './migrations/023-administrating-keys.sql';
import { defineCountFunctions } from './recount.js';
import schema from './schema.sql';
import { defineTagFunction } from './tag-forms.js';

/**
 * Every migration in order. Its number is its position, from 1. A released migration never changes, except comments
 * outside of its statements. Short ones may be texts in this list, longer ones are files.
 */
export const migrations: readonly string[] = [
  foundation,
  simulation,
  requestLog,
  jobsByKind,
  receivedBeforeEmail,
  quarantine,
  chunks,
  warnings,
  deliveryDelay,
  userAgents,
  mailboxes,
  search,
  retention,
  workspaces,
  searchCounts,
  dsn,
  smtpSessions,
  faults,
  importsAndReleases,
  smtpLogins,
  unparsedRecipients,
  requestErrors,
  administratingKeys,
];

/**
 * Migrates a database to the current schema. Marks a new file as svc's. `onStep` is called before each migration of a
 * database that has a schema.
 * @throws UnusableDatabaseError with the file and the reason, for a database of another program or of a newer svc.
 */
export function migrate(
  db: Database.Database,
  known: readonly string[] = migrations,
  onStep?: (step: MigrationStep) => void,
): void {
  refuseForeign(db, { known });
  if (versionOf(db) === known.length) return;
  // A migration that recreates a table drops the old one, which must not delete the rows that refer to it.
  db.pragma('foreign_keys = OFF');
  db.transaction(() => {
    // Checks again under the lock, because another process may have migrated meanwhile.
    refuseForeign(db, { known });
    const isNew = versionOf(db) === 0 && known === migrations;
    // Sets the number of migrations that it contains.
    if (isNew) db.exec(schema);
    runMigrations(db, known.slice(versionOf(db)), onStep);
    const [broken] = db.pragma('foreign_key_check') as { table: string }[];
    if (broken) throw new Error(`a migration left rows of ${broken.table} that refer to nothing`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${known.length}`);
  }).immediate();
  db.pragma('foreign_keys = ON');
}

/** Runs the statements of migrations, with the functions that they call. */
export function runMigrations(
  db: Database.Database,
  texts: readonly string[],
  onStep?: (step: MigrationStep) => void,
): void {
  db.function('normalized_mailbox', { deterministic: true }, (mailbox) => normalizeAddress(String(mailbox)));
  defineTagFunction(db);
  defineCountFunctions(db);
  const emails = onStep && versionOf(db) > 0 && texts.length > 0 ? countEmails(db) : 0;
  for (const [index, sql] of texts.entries()) {
    if (emails > 0) onStep?.({ step: index + 1, steps: texts.length, emails });
    db.exec(sql);
  }
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
 * @throws UnusableDatabaseError for a database of another program, or of a newer svc.
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
  if (version > known.length) {
    throw new UnusableDatabaseError(
      `${name} was written by a newer version of svc (schema ${version}; this version supports ${known.length}). Update svc.`,
    );
  }
}

export function versionOf(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}
