import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Snapshot } from '../../../core/store.js';
import { versionOf } from '../migrations.js';
import type { Location } from './open.js';
import { makeTransferDir, removeTransferDir } from './transfer-dir.js';

/** How many pages are copied before the event loop goes on: some milliseconds' worth. */
const PAGES_PER_STEP = 1_000;

/**
 * Copies the database by SQLite's online backup: it is as it stands when the copy is complete, and who writes meanwhile does
 * not wait. https://www.sqlite.org/backup.html
 */
export async function takeSnapshot(db: Database.Database, location: Location): Promise<Snapshot> {
  const directory = makeTransferDir(location);
  const file = join(directory, 'mail.db');
  try {
    await db.backup(file, { progress: () => PAGES_PER_STEP });
    const copy = new Database(file);
    try {
      // One file that says all, without a log beside it.
      copy.pragma('journal_mode = DELETE');
      return {
        schemaVersion: versionOf(copy),
        size: statSync(file).size,
        read: () => createReadStream(file),
        discard: async () => removeTransferDir(directory),
      };
    } finally {
      copy.close();
    }
  } catch (error) {
    removeTransferDir(directory);
    throw error;
  }
}
