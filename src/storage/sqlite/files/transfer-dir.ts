import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Location } from './open.js';

/** Directories for databases that are imported or exported, next to the store's own file: that disk has room for one. */

const PREFIX = 'transfer-';

/** Creates a directory that only its owner can read. The caller removes it. */
export function makeTransferDir(location: Location): string {
  return mkdtempSync(join(location === 'memory' ? tmpdir() : dirname(location.file), PREFIX));
}

export function removeTransferDir(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes the directories of processes that died. No other process may have the database open. */
export function removeStaleTransferDirs(file: string): void {
  const directory = dirname(file);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && /^transfer-[0-9A-Za-z]{6}$/.test(entry.name)) {
      removeTransferDir(join(directory, entry.name));
    }
  }
}
