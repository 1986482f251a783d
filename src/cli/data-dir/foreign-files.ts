import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { APPLICATION_ID, CREDENTIALS_FILE, DATABASE_FILE, WAL_SUFFIX } from '../../storage/data-dir-files.js';
import { CommandError } from '../errors/exit-codes.js';
import { checkCredentials } from './data-dir.js';

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
