import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import { MARK_FILE } from '../../storage/data-dir-files.js';
import { makeDirectory, placeFirst, readSmallFile, writeFileAtomically } from '../process/files.js';

/**
 * Marks the `.svc` directories that this user's svc created. Git and archives preserve files, names and, with a umask
 * of 077, private modes. They cannot preserve this mark: it is computed from the user's own key and the directory's
 * inode number.
 */

export const DISCOVERED_NAME = '.svc';
const KEY_FILE = 'directory.key';
const KEY_BYTES = 32;

/**
 * Marks a directory, so that it can be discovered. If the user's key cannot be stored, the directory stays unmarked and
 * must be named.
 */
export function markDataDir(directory: string): void {
  if (basename(directory) !== DISCOVERED_NAME) return;
  try {
    const file = keyFile();
    makeDirectory(dirname(file), PRIVATE);
    if (readKey() === undefined) {
      writeFileAtomically(file, randomBytes(KEY_BYTES).toString('hex'), {
        mode: OWNER_ONLY,
        moveIntoPlace: placeFirst,
      });
    }
    const mark = markOf(directory);
    if (mark !== undefined) writeFileAtomically(join(directory, MARK_FILE), `${mark}\n`, { mode: OWNER_ONLY });
  } catch {
    // The home directory does not exist, or is read-only.
  }
}

/** Returns whether a directory is empty, except for a mark that another process may be writing. */
export function isEmptyDataDir(directory: string): boolean {
  try {
    return readdirSync(directory).every((name) => name.startsWith(MARK_FILE));
  } catch {
    return false;
  }
}

/** Returns whether this user's svc marked this directory, and it was not copied since. */
export function isMarked(directory: string): boolean {
  try {
    return readSmallFile(join(directory, MARK_FILE)).trim() === markOf(directory);
  } catch {
    return false;
  }
}

function markOf(directory: string): string | undefined {
  const key = readKey();
  // A copy, a checkout and an unpacked archive have another inode number.
  const { ino } = statSync(directory, { bigint: true });
  return key && createHmac('sha256', key).update(`svc data directory ${ino}`).digest('hex');
}

function keyFile(): string {
  return join(envPaths('svc', { suffix: '' }).data, KEY_FILE);
}

function readKey(): string | undefined {
  try {
    return readSmallFile(keyFile()).trim() || undefined;
  } catch {
    return undefined;
  }
}
