import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import {
  APPLICATION_ID,
  CREDENTIALS_FILE,
  DATABASE_FILE,
  MEMORY_SYNC_FILE,
  SERVER_FILE,
  WAL_SUFFIX,
} from '../../storage/data-dir-files.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import {
  type AtomicWriteOptions,
  makeDirectory,
  nearestExisting,
  placeFirst,
  readSmallFile,
  writeFileAtomically,
} from '../process/files.js';
import { isEmptyDataDir, markDataDir } from './mark.js';
import type { Credentials, RunningServer } from './server-file.js';

/**
 * Manages the files of a data directory: `mail.db`, the local server's credentials, and the state of a running server.
 */

export function createDataDir(directory: string): void {
  try {
    const fresh = !existsSync(directory) || isEmptyDataDir(directory);
    makeDirectory(directory, PRIVATE);
    if (fresh) markDataDir(directory);
  } catch (error) {
    throw unusableDataDir(directory, error);
  }
}

/** Returns the path of the database. @throws CommandError when it is a directory, which SQLite reports as a disk I/O error. */
export function databaseFile(directory: string): string {
  const file = join(directory, DATABASE_FILE);
  if (!(existsSync(file) && statSync(file).isDirectory())) return file;
  throw new CommandError(`${file} cannot be used: it is a directory.`, 'Use another data directory with --data-dir.');
}

export function newCredentials(): Credentials {
  return {
    api_key: `svc_test_${randomBytes(16).toString('hex')}`,
    webhook_secret: newWebhookSecret(),
  };
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`;
}

/**
 * Returns the credentials of a data directory. If several processes find none at once, one of them creates them for
 * all.
 */
export function readOrCreateCredentials(directory: string): Credentials {
  const file = join(directory, CREDENTIALS_FILE);
  if (!existsSync(file)) writeOwnerOnly(directory, CREDENTIALS_FILE, newCredentials(), placeFirst);
  return checkCredentials(directory);
}

/** Returns the credentials of a data directory. @throws CommandError when they are not svc's. */
function checkCredentials(directory: string): Credentials {
  const file = join(directory, CREDENTIALS_FILE);
  const found = readJson<Credentials>(file);
  if (found?.api_key && found.webhook_secret) return found;
  throw new CommandError(
    `${file} does not contain valid credentials of svc.`,
    'If it belongs to another program, choose another data directory with --data-dir or SVC_DATA_DIR.',
  );
}

/**
 * Returns an id that distinguishes this data directory from all others, even after a move. It does not reveal the
 * credentials. Undefined when the directory has none.
 */
export function dataDirId(directory: string): string | undefined {
  const found = readJson<Credentials>(join(directory, CREDENTIALS_FILE));
  if (!found) return undefined;
  return createHash('sha256')
    .update(`data directory ${found.api_key} ${found.webhook_secret}`)
    .digest('hex')
    .slice(0, 16);
}

export function writeRunningServer(directory: string, server: RunningServer): void {
  writeOwnerOnly(directory, SERVER_FILE, server);
}

/** Returns the path of the sync record of a server in memory. The file is valid for as long as that server runs. */
export function memorySyncFile(directory: string): string {
  return join(directory, MEMORY_SYNC_FILE);
}

/** Removes the files of the server that ran before. Call it only while holding the directory's lock. */
export function removeServerFiles(directory: string): void {
  for (const file of [SERVER_FILE, MEMORY_SYNC_FILE]) rmSync(join(directory, file), { force: true });
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readSmallFile(file)) as T;
  } catch {
    return undefined;
  }
}

function writeOwnerOnly(
  directory: string,
  name: string,
  value: unknown,
  moveIntoPlace?: AtomicWriteOptions['moveIntoPlace'],
): void {
  try {
    writeFileAtomically(join(directory, name), `${JSON.stringify(value, null, 2)}\n`, {
      mode: OWNER_ONLY,
      ...(moveIntoPlace && { moveIntoPlace }),
    });
  } catch (error) {
    throw unusableDataDir(directory, error);
  }
}

/** Returns the error for a data directory that cannot be used. */
export function unusableDataDir(directory: string, error: unknown): CommandError {
  // An error with advice of its own does not depend on the directory: SQLite cannot be loaded.
  const { message, advice } = error as Error & { advice?: unknown };
  if (typeof advice === 'string') return new CommandError(message, advice);
  return new CommandError(
    `The data directory ${describeUnusable(directory, error)}`,
    'Use another with --data-dir or SVC_DATA_DIR. "svc dev --in-memory" does not need one.',
  );
}

/** Returns why a directory cannot be used, beginning with its path. */
export function describeUnusable(directory: string, error: unknown): string {
  if (existsSync(directory) && !statSync(directory).isDirectory()) {
    return `${directory} cannot be used: it is a file, not a directory.`;
  }
  // For a path below /proc, for example. Missing parents would be created.
  if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !lstatSync(directory, { throwIfNoEntry: false })) {
    return `${directory} cannot be created: ${nearestExisting(dirname(directory))} does not allow new directories.`;
  }
  return `${directory} cannot be written: ${describeFileError(error)}.`;
}

/** SQLite's header: its first bytes, and the position of the application ID. https://www.sqlite.org/fileformat2.html */
const SQLITE = 'SQLite format 3\0';
const APPLICATION_ID_AT = 68;

/**
 * Refuses a directory whose files belong to another program, before svc writes to it.
 * @throws CommandError for credentials that are not svc's, and without credentials for a database that is not svc's.
 */
export function refuseForeignFiles(directory: string): void {
  if (existsSync(join(directory, CREDENTIALS_FILE))) return void checkCredentials(directory);
  const file = join(directory, DATABASE_FILE);
  const header = headerOf(file);
  if (header === undefined) return;
  const advice = 'Choose another data directory with --data-dir or SVC_DATA_DIR.';
  if (header.toString('latin1', 0, SQLITE.length) !== SQLITE) {
    throw new CommandError(`Cannot use ${file}: it is not an SQLite database`, advice);
  }
  // The ID of a database that was not closed may still be in its write-ahead log.
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID && !existsSync(file + WAL_SUFFIX)) {
    throw new CommandError(`${file} is a database of another program; svc does not change it.`, advice);
  }
}

/** Returns the header of a database; undefined for a file that is empty, or that svc cannot open as one. */
function headerOf(file: string): Buffer | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size === 0) return undefined;
    const header = Buffer.alloc(APPLICATION_ID_AT + 4);
    const opened = openSync(file, 'r');
    try {
      readSync(opened, header, 0, header.length, 0);
    } finally {
      closeSync(opened);
    }
    return header;
  } catch {
    return undefined;
  }
}
