import { createReadStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Snapshot } from '../../../core/store.js';
import { IS_UNREFERENCED } from '../../common/tables/mail/contents.js';
import { DATABASE_FILE } from '../../data-dir-files.js';
import { versionOf } from '../migrations.js';
import { EMPTY_INDEX } from '../search/repair-index.js';
import { writeCleanCopy } from './clean-copy.js';
import { connect } from './connect.js';
import type { Location } from './open.js';
import { makeTransferDir, removeTransferDir } from './transfer-dir.js';

/** Deletes the emails whose deletion can be undone, with their contents. */
const PURGE = `DELETE FROM deletions; DELETE FROM deleted_emails;
  CREATE TEMP TABLE gone AS SELECT content_key FROM deleted_contents; DELETE FROM deleted_contents;
  DELETE FROM chunks WHERE content_key IN (SELECT content_key FROM gone) AND ${IS_UNREFERENCED}`;

/** Number of pages to copy in one turn of the event loop, which takes a few milliseconds. */
const PAGES_PER_STEP = 1_000;

/**
 * Copies the database with SQLite's online backup. The copy has the state at the end of the backup, without what deleted
 * rows left in the file. Writers do not wait. https://www.sqlite.org/backup.html
 */
export async function takeSnapshot(db: Database.Database, location: Location): Promise<Snapshot> {
  const directory = makeTransferDir(location);
  const file = join(directory, DATABASE_FILE);
  const whole = join(directory, 'backup.db');
  try {
    await db.backup(whole, { progress: () => PAGES_PER_STEP });
    // An import makes its own index, and this one has texts of deleted emails.
    await writeCleanCopy(whole, file, `${EMPTY_INDEX}; ${PURGE}`);
    await rm(whole);
    const copy = connect(file);
    try {
      // Stores everything in one file, without a separate log.
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
