import type Database from 'better-sqlite3';
import foundation from './migrations/001-foundation.sql';

/** Every migration in order; its number is its place, from 1. Forward only: one that has shipped is never changed. */
export const migrations: readonly string[] = [foundation];

/** Marks a file as svc's own, in SQLite's header ("svc1"). */
const APPLICATION_ID = 0x73766331;

export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/**
 * Brings a database up to date. A new file becomes svc's; one that is somebody else's, or of a newer svc, is left as it is.
 * @throws UnusableDatabaseError saying which file, and what is wrong with it.
 */
export function migrate(db: Database.Database, known: readonly string[] = migrations): void {
  const tables = db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() as number;
  const owner = db.pragma('application_id', { simple: true }) as number;
  const version = db.pragma('user_version', { simple: true }) as number;
  if (owner !== APPLICATION_ID && (tables > 0 || owner !== 0)) {
    throw new UnusableDatabaseError(`${db.name} is a database of another program; svc leaves it as it is.`);
  }
  if (version > known.length) {
    throw new UnusableDatabaseError(
      `${db.name} was written by a newer svc (schema ${version}, this one knows ${known.length}). Update svc.`,
    );
  }
  if (version === known.length) return;
  // The version is read again under the lock: another process may have migrated in between.
  db.transaction(() => {
    const from = db.pragma('user_version', { simple: true }) as number;
    for (const sql of known.slice(from)) db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${known.length}`);
  }).immediate();
}
