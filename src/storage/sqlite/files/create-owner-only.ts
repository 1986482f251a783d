import { closeSync, lstatSync, openSync } from 'node:fs';

/** The mode of a file that only its owner can read and write. */
export const OWNER_ONLY = 0o600;

/**
 * Creates an empty file that only its owner can read and write, unless it exists.
 * @throws Error for a symbolic link without a target, because SQLite would create the target.
 */
export function createOwnerOnly(file: string): void {
  try {
    // The flag `x` prevents following a symbolic link.
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || lstatSync(file).isSymbolicLink()) throw error;
  }
}
