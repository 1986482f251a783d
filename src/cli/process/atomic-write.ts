import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

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
