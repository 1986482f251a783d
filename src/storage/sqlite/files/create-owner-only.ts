import { closeSync, lstatSync, openSync } from 'node:fs';
import { OWNER_ONLY } from '../../../file-modes.js';

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
