import { closeSync, lstatSync, openSync } from 'node:fs';

/** The mode of a file for its owner alone. */
export const OWNER_ONLY = 0o600;

/**
 * Creates an empty file for its owner alone, unless another process was first.
 * @throws Error when a link is in its place that leads nowhere: SQLite would create what the link names.
 */
export function createOwnerOnly(file: string): void {
  try {
    // Exclusive, so no link is followed.
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || lstatSync(file).isSymbolicLink()) throw error;
  }
}
