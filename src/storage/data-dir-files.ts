/** Names of the files in a data directory. Imports nothing, because server-lock.ts needs one of them and must load little. */

export const DATABASE_FILE = 'mail.db';
export const CREDENTIALS_FILE = 'credentials.json';
/** Holds the address of the running server. */
export const SERVER_FILE = 'server.json';
/** Locked by the running server. */
export const LOCK_FILE = 'server.lock';
/** Sync records of templates on a server in memory. */
export const MEMORY_SYNC_FILE = 'memory-sync.json';
/** Proves that the user's svc created the directory. */
export const MARK_FILE = 'made-by-svc';

/** What SQLite appends to a database's name for its write-ahead log, and for the log's index. */
export const WAL_SUFFIX = '-wal';
export const SHM_SUFFIX = '-shm';
const SQLITE_SUFFIXES = [WAL_SUFFIX, SHM_SUFFIX, '-journal'];

/** Every file that svc reads or writes in a data directory. */
export const DATA_DIR_FILES: readonly string[] = [
  SERVER_FILE,
  CREDENTIALS_FILE,
  DATABASE_FILE,
  ...SQLITE_SUFFIXES.map((suffix) => DATABASE_FILE + suffix),
  LOCK_FILE,
  MEMORY_SYNC_FILE,
  MARK_FILE,
];
