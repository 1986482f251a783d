import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Location } from './open.js';

/** Directories for databases on their way in or out: beside the store's own file, where there is room for its like. */

const PREFIX = 'transfer-';

/** Makes one that its owner alone can read. Whoever asked for it removes it. */
export function makeTransferDir(location: Location): string {
  return mkdtempSync(join(location === 'memory' ? tmpdir() : dirname(location.file), PREFIX));
}

export function removeTransferDir(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes those that processes which died have left. For when no other process has the database open. */
export function removeStaleTransferDirs(file: string): void {
  const directory = dirname(file);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && /^transfer-[0-9A-Za-z]{6}$/.test(entry.name)) {
      removeTransferDir(join(directory, entry.name));
    }
  }
}
