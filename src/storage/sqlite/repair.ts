import type Database from 'better-sqlite3';
import type { SetAside } from '../../core/store.js';
import type { Row } from '../common/rows/columns.js';
import { lastVersion } from '../common/schema-version.js';
import { tagForm } from '../common/search/texts.js';
import { badRows, setBadRowsAside } from './check-rows.js';
import { BUSY_TIMEOUT_MS, connect } from './files/connect.js';
import { migrations, refuseForeign, versionOf } from './migrations.js';
import { Quarantine } from './rows/quarantine.js';
import { isAboutIndex, isIndexDamaged, renewIndex } from './search/repair-index.js';

/** Finds rows that svc cannot use and moves them to `quarantine`. A server may have the database open. */

/** Maximum number of errors in the file to report. */
const FILE_ERRORS_MAX = 10;

/** The index of searches is made again from the emails. */
const DAMAGED_INDEX: SetAside = { table: 'search', key: 'index', reason: 'the index of searches is damaged' };

export interface DatabaseReport {
  /** Errors that SQLite found in the file itself; empty if it is intact. */
  fileErrors: string[];
  /** Rows that cannot be used: those still in their tables, and those in `quarantine` that have not been reviewed. */
  rows: SetAside[];
  /** Jobs that failed because of a bug in svc, with the first line of the error. */
  failedJobs: SetAside[];
}

/**
 * Checks the whole file without changing it.
 * @throws Error if the file cannot be opened, or belongs to another program or a newer svc.
 */
export async function inspectDatabase(file: string): Promise<DatabaseReport> {
  const db = connect(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db);
    const fileErrors = (db.pragma(`quick_check(${FILE_ERRORS_MAX})`) as { quick_check: string }[])
      .map(({ quick_check }) => quick_check)
      .filter((text) => text !== 'ok' && !isAboutIndex(text));
    // The rows of a damaged file are not readable. An older schema is migrated at the next start.
    if (fileErrors.length > 0 || versionOf(db) !== lastVersion(migrations))
      return { fileErrors, rows: [], failedJobs: [] };
    const rows: SetAside[] = isIndexDamaged(db) ? [DAMAGED_INDEX] : [];
    for await (const { table, key, reason } of badRows(db)) rows.push({ table, key, reason });
    const kept = db.prepare('SELECT table_name, row_key, reason FROM quarantine WHERE reviewed = 0 ORDER BY seq');
    for (const { table_name, row_key, reason } of kept.all() as Record<string, string>[]) {
      rows.push({ table: table_name ?? '', key: row_key ?? '', reason: reason ?? '' });
    }
    return { fileErrors, rows, failedJobs: failedJobs(db).map(asSetAside) };
  } finally {
    db.close();
  }
}

/**
 * Moves bad rows and failed jobs to the table `quarantine` and marks all its rows as reviewed. Returns the newly marked
 * rows.
 */
export async function repairDatabase(file: string): Promise<SetAside[]> {
  const db = connect(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db);
    db.pragma('foreign_keys = ON');
    const renewed = isIndexDamaged(db);
    if (renewed) renewIndex(db);
    await setBadRowsAside(db);
    if (versionOf(db) === lastVersion(migrations)) renewTagForms(db);
    const quarantine = new Quarantine(db);
    for (const job of failedJobs(db)) quarantine.move('jobs', job, asSetAside(job).reason);
    const moved = db
      .prepare(
        'UPDATE quarantine SET reviewed = 1 WHERE reviewed = 0 RETURNING table_name AS "table", row_key AS "key", reason',
      )
      .all() as SetAside[];
    return renewed ? [DAMAGED_INDEX, ...moved] : moved;
  } finally {
    db.close();
  }
}

function failedJobs(db: Database.Database): Row[] {
  return db.prepare('SELECT seq, kind, error FROM jobs WHERE error IS NOT NULL ORDER BY seq').all() as Row[];
}

function asSetAside({ seq, kind, error }: Row): SetAside {
  return { table: 'jobs', key: String(seq), reason: `${kind} failed: ${String(error).split('\n', 1)[0]}` };
}

/** Stores the forms of all tags again. */
export function renewTagForms(db: Database.Database): void {
  db.function('tag_form', { deterministic: true }, (tag) => tagForm(String(tag)));
  db.exec('DELETE FROM main.tag_forms; INSERT INTO main.tag_forms SELECT DISTINCT tag_form(tag), tag FROM main.tags');
}
