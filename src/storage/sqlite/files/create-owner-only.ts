import { closeSync, lstatSync, openSync } from 'node:fs';

/** The mode of a file that only its owner can read and write. */
export const OWNER_ONLY = 0o600;

/**
 * Creates an empty file that only its owner can read and write, unless it exists.
 * @throws Error for a link without a target: SQLite would create the target.
 */
export function createOwnerOnly(file: string): void {
  try {
    // Exclusive, so no link is followed.
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || lstatSync(file).isSymbolicLink()) throw error;
  }
}
