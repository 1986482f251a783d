import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreDamagedError, StoreUnavailableError } from '../../core/store.js';

/**
 * Result codes of SQLite and the file system for errors of the machine, not of the statement.
 * https://www.sqlite.org/rescode.html
 */
const DISK_ERROR_CODES =
  /^(SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM)|(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO|EMFILE|ENFILE)$)/;

/** The next step for a damaged database file. */
export const DAMAGED_ADVICE =
  'Stop the server and move mail.db, mail.db-wal and mail.db-shm to another directory; svc then starts with an empty ' +
  'database. Restore an export with "svc dev import". A program such as "sqlite3 mail.db .recover" may still read the ' +
  'rest of the damaged file.';

const WRITABLE_ADVICE = 'Make the server’s data directory writable.';
const LOCKED = {
  reason: 'another process has locked it',
  advice: 'Close the program that has mail.db open, such as a database browser.',
};
const TOO_MANY_FILES = {
  reason: 'too many open files',
  advice: 'Raise the limit of open files, for example with "ulimit -n 4096".',
};

/** Reasons and advice by code. Other errors have the reason that SQLite gives. */
const KNOWN: Record<string, { reason: string; advice: string }> = {
  SQLITE_BUSY: LOCKED,
  SQLITE_BUSY_RECOVERY: LOCKED,
  SQLITE_BUSY_SNAPSHOT: LOCKED,
  SQLITE_READONLY: { reason: 'it is read-only', advice: WRITABLE_ADVICE },
  EROFS: { reason: 'the file system is read-only', advice: WRITABLE_ADVICE },
  EACCES: { reason: 'permission denied', advice: WRITABLE_ADVICE },
  EPERM: { reason: 'permission denied', advice: WRITABLE_ADVICE },
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
};
const DISK_ADVICE = 'Check that the disk of the server’s data directory has free space and is writable.';

/** Lists files instead of rows to delete, because deleting rows needs space in SQLite's log first. */
const LAST_RESORT = 'If you cannot free any, stop the server and delete mail.db, mail.db-wal and mail.db-shm.';

export function isDiskError(error: unknown): boolean {
  return DISK_ERROR_CODES.test(codeOf(error));
}

/** Returns whether another process has the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

export function unavailable(error: unknown): StoreUnavailableError {
  const known = KNOWN[codeOf(error)];
  const message = `Cannot write to the database: ${reasonOf(error)}`;
  if (known) return new StoreUnavailableError(message, { cause: error }, known.advice);
  return new StoreUnavailableError(message, { cause: error }, DISK_ADVICE, LAST_RESORT);
}

/** Returns the next step for a database that cannot be opened; undefined for an error that has none of its own. */
export function adviceOf(error: unknown): string | undefined {
  return isDamage(error) ? DAMAGED_ADVICE : KNOWN[codeOf(error)]?.advice;
}

/**
 * Returns the error of the file system that prevents SQLite from opening a file. SQLite reports each of them as "unable
 * to open database file".
 */
export function causeOfOpening(error: unknown, file: string): unknown {
  if (!/^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error))) return error;
  try {
    accessSync(dirname(file), constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    // Opens the directory instead of the file: closing a descriptor of the file would release SQLite's locks on it.
    closeSync(openSync(dirname(file), 'r'));
    return error;
  } catch (cause) {
    return cause;
  }
}

/** Returns whether SQLite reported a damaged file. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
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
  return KNOWN[codeOf(error)]?.reason ?? (error instanceof Error ? error.message : String(error));
}

/** Throws the core's error for a disk error during an import or export, and any other error unchanged. */
export function orUnavailable(error: unknown): never {
  throw isDiskError(error) ? unavailable(error) : error;
}
