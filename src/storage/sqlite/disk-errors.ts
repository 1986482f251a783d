import { StoreDamagedError, StoreUnavailableError } from '../../core/store.js';

/**
 * Result codes that say nothing of the work and everything of the machine, SQLite's and the file system's.
 * https://www.sqlite.org/rescode.html
 */
const OF_THE_DISK = /^(SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM)|(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO)$)/;

export function isOfTheDisk(error: unknown): boolean {
  return OF_THE_DISK.test((error as { code?: string } | null)?.code ?? '');
}

export function unavailable(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`Cannot write to the database: ${reasonOf(error)}`, { cause: error });
}

/** Result codes of a file whose contents make no sense. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string } | null)?.code ?? '');
}

/** What the core has a name for, in place of SQLite's own error; any other error as it is. */
export function named(error: unknown): unknown {
  if (isOfTheDisk(error)) return unavailable(error);
  if (isDamage(error)) {
    return new StoreDamagedError(`The database is damaged: ${reasonOf(error)}.`, { cause: error });
  }
  return error;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What goes wrong beside the database, in files on its way in or out. */
export function orUnavailable(error: unknown): never {
  throw isOfTheDisk(error) ? unavailable(error) : error;
}
