import { StoreDamagedError, StoreUnavailableError } from '../../../core/store.js';

/**
 * Result codes of SQLite and the file system for errors of the machine, not of the statement.
 * https://www.sqlite.org/rescode.html
 */
const DISK_ERROR_CODES =
  /^(SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM)|(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO)$)/;

/** The next step for a damaged database file. */
export const DAMAGED_ADVICE =
  'Stop the server and keep a copy of mail.db. Then restore an export with "svc dev import" in another data directory, ' +
  'recover what is readable with "sqlite3 mail.db .recover", or start again with "svc dev reset".';

/** Lists files instead of rows to delete, because deleting rows needs space in SQLite's log first. */
const LAST_RESORT = 'If you cannot free any, stop the server and delete mail.db, mail.db-wal and mail.db-shm.';

export function isDiskError(error: unknown): boolean {
  return DISK_ERROR_CODES.test((error as { code?: string } | null)?.code ?? '');
}

export function unavailable(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`Cannot write to the database: ${reasonOf(error)}`, { cause: error }, LAST_RESORT);
}

/** Returns whether SQLite reported a damaged file. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string } | null)?.code ?? '');
}

/** Converts an error of SQLite to one of the core. Returns any other error unchanged. */
export function named(error: unknown): unknown {
  if (isDiskError(error)) return unavailable(error);
  if (isDamage(error)) {
    return new StoreDamagedError(`The database is damaged: ${reasonOf(error)}.`, DAMAGED_ADVICE, { cause: error });
  }
  return error;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws the core's error for a disk error during an import or export, and any other error unchanged. */
export function orUnavailable(error: unknown): never {
  throw isDiskError(error) ? unavailable(error) : error;
}
