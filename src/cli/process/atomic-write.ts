import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export interface AtomicWriteOptions {
  /** These exact permissions; by default those of the user's files. */
  mode?: number;
  /** How the draft becomes the file, where a rename will not do. */
  moveIntoPlace?: (draft: string, file: string) => void;
}

/** Returns a name next to a file that no one can guess, so no one can have put a link there. */
export function draftName(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}`;
}

/**
 * Writes a draft next to a file and renames it: no reader sees half of it, and an interruption keeps the old file. A failed write
 * leaves no draft. A link at the path is replaced, never followed. @throws the error of the file system.
 */
export function writeFileAtomically(
  file: string,
  text: string,
  { mode, moveIntoPlace = renameSync }: AtomicWriteOptions = {},
): void {
  const draft = draftName(file);
  try {
    // Exclusive: fails where anything exists, a link included.
    writeFileSync(draft, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    // The umask may have removed more permissions than intended.
    if (mode !== undefined) chmodSync(draft, mode);
    moveIntoPlace(draft, file);
  } catch (error) {
    // What exists under the draft's name is not ours.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(draft, { force: true });
    throw error;
  }
}

/** Moves a draft into place as a rename does, but keeps a file that already exists. */
export function placeFirst(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // A file system without links cannot report who was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
  rmSync(draft, { force: true });
}
