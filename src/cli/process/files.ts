import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { excerpt } from '../output/text.js';

export interface AtomicWriteOptions {
  /** The exact permissions; by default those that the umask allows. */
  mode?: number;
  /** Moves the draft into place, where a rename is not suitable. */
  moveIntoPlace?: (draft: string, file: string) => void;
}

/** Returns a name next to a file that cannot be guessed, so that no one can create a link there first. */
export function draftName(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}`;
}

/**
 * Writes a draft next to a file and renames it. Readers never see a part of it, and an interruption keeps the old file.
 * A failed write leaves no draft. A link at the path is replaced, not followed. @throws the error of the file system.
 */
export function writeFileAtomically(
  file: string,
  text: string,
  { mode, moveIntoPlace = renameSync }: AtomicWriteOptions = {},
): void {
  const draft = draftName(file);
  try {
    // Exclusive: fails if anything exists at the path, including a link.
    writeFileSync(draft, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    // The umask may have removed permissions.
    if (mode !== undefined) chmodSync(draft, mode);
    moveIntoPlace(draft, file);
  } catch (error) {
    // A file that already exists under the draft's name belongs to another program.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(draft, { force: true });
    throw error;
  }
}

/** Moves a draft into place as a rename does, but keeps an existing file. */
export function placeFirst(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // A file system without hard links cannot report which process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
  rmSync(draft, { force: true });
}

/**
 * Creates a directory and its parents, with this mode or the default one. Node's recursive mkdir never returns on file
 * systems that report ENOENT for an existing parent, such as /proc.
 */
export function makeDirectory(directory: string, mode?: number): void {
  if (existsSync(directory)) {
    // Throws when the path is a file.
    readdirSync(directory);
    return;
  }
  makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns the path itself if it exists, or the nearest directory above it that does. */
export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Checks that a file of a flag can be written, and leaves it as it was. @throws CommandError if it cannot. */
export function checkOutputFile(file: string, flag: string): void {
  const existed = existsSync(file);
  writingFile(file, flag, () => closeSync(openSync(file, 'a')));
  // An empty file may be invalid, and would remain if the command cannot be run. A symbolic link to it is kept.
  if (!existed) rmSync(realpathSync(file));
}

/** Writes to a file. @throws CommandError, with advice to choose another one with the flag. */
export function writingFile(file: string, flag: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${describeFileError(error)}.`, `Choose another file with ${flag}.`);
  }
}

/** More than any file that svc writes to a data directory, except the database. */
const SMALL_FILE_BYTES_MAX = 64 * 1024;

/**
 * Returns the text of a small regular file. Refuses large files, pipes and devices, which another user may have created
 * in its place.
 * @throws Error with the reason when the file cannot be used.
 */
export function readSmallFile(file: string): string {
  // Opening a pipe would otherwise wait for a writer.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw new Error('it is a directory');
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > SMALL_FILE_BYTES_MAX) throw new Error(`it is larger than ${SMALL_FILE_BYTES_MAX} bytes`);
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}

/** Reads a text in UTF-8. Errors begin with `flag`, unless that is undefined. @throws UsageError if it cannot be read. */
export async function readText(flag: string | undefined, path: string): Promise<string> {
  const bytes = await readBytes(flag, path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${prefixOf(flag)}${path === '-' ? 'standard input' : path} is not valid UTF-8.`);
  }
}

/** Reads a file that a flag names, or stdin for `-`. */
export async function readBytes(flag: string | undefined, path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  if (path === '') throw new UsageError(`${flag} requires a file name.`);
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${prefixOf(flag)}${excerpt(path)} cannot be read: ${describeFileError(error)}.`);
  }
}

function prefixOf(flag: string | undefined): string {
  return flag === undefined ? '' : `${flag}: `;
}
