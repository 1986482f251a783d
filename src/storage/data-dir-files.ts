/** Defines the names of the files in a data directory. Has no imports, so that server-lock.ts loads quickly. */

export const DATABASE_FILE = 'mail.db';
/** The application ID in SQLite's header, which marks a database as svc's ("svc1"). */
export const APPLICATION_ID = 0x73766331;
export const CREDENTIALS_FILE = 'credentials.json';
/** The address of the running server. */
export const SERVER_FILE = 'server.json';
/** The file that the running server locks. */
export const LOCK_FILE = 'server.lock';
/** The sync records of templates on a server in memory. */
export const MEMORY_SYNC_FILE = 'memory-sync.json';
/** The output of a server that runs in the background. */
export const LOG_FILE = 'server.log';
/** The local certificate authority, and the certificate that it issued to the SMTP server. */
export const CA_CERT_FILE = 'ca.pem';
export const CA_KEY_FILE = 'ca-key.pem';
export const SERVER_CERT_FILE = 'smtp-cert.pem';
export const SERVER_KEY_FILE = 'smtp-key.pem';
/** A mark that proves that the user's svc created the directory. */
export const MARK_FILE = 'made-by-svc';

/** The suffixes that SQLite adds to a database's name for its write-ahead log, and for the log's index. */
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
  LOG_FILE,
  CA_CERT_FILE,
  CA_KEY_FILE,
  SERVER_CERT_FILE,
  SERVER_KEY_FILE,
  MARK_FILE,
];
