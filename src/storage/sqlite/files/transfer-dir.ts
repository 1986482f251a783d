import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Location } from './open.js';

/**
 * Manages directories for imported and exported databases. They are next to the store's own file, because that disk
 * must have room for it.
 */

const PREFIX = 'transfer-';

/** Creates a directory that only its owner can read. The caller must remove it. */
export function makeTransferDir(location: Location): string {
  return mkdtempSync(join(location === 'memory' ? tmpdir() : dirname(location.file), PREFIX));
}

export function removeTransferDir(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes the directories of processes that died. Call it only while no other process has the database open. */
export function removeStaleTransferDirs(file: string): void {
  const directory = dirname(file);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && /^transfer-[0-9A-Za-z]{6}$/.test(entry.name)) {
      removeTransferDir(join(directory, entry.name));
    }
  }
}
