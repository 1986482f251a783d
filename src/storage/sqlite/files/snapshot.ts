import { createReadStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Snapshot } from '../../../core/store.js';
import { IS_UNREFERENCED } from '../../common/tables/mail/contents.js';
import { DATABASE_FILE } from '../../data-dir-files.js';
import { versionOf } from '../migrations.js';
import { EMPTY_INDEX } from '../search/repair-index.js';
import { connect, driverFile } from './connect.js';
import { type Location, makeTransferDir, removeTransferDir } from './open.js';

/** Deletes the audit log, and the emails whose deletion can be undone, with their contents. */
const PURGE = `DELETE FROM audit; DELETE FROM deletions; DELETE FROM deleted_emails;
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

/**
 * Runs a statement on a database file, and writes a copy of it without what deleted rows left in it: unused pages, and
 * remains within pages. Works in a thread of its own, because SQLite rewrites everything in one call.
 * @throws Error with SQLite's code.
 */
async function writeCleanCopy(file: string, copy: string, statement: string): Promise<void> {
  const { Worker } = await import('node:worker_threads');
  const driver = driverFile();
  const worker = new Worker(SOURCE, { eval: true, execArgv: [], workerData: { driver, file, copy, statement } });
  return new Promise((resolve, reject) => {
    worker.once('message', (failure: { message: string; code: string } | null) => {
      if (failure === null) resolve();
      else reject(Object.assign(new Error(failure.message), { code: failure.code }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that copies the database ended with code ${code}`)));
  });
}

/** Plain JavaScript in a string, because the bundle has no separate file for it. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.driver);
let failure = null;
try {
  const db = new Database(workerData.file, { fileMustExist: true });
  try {
    db.exec(workerData.statement);
    db.prepare('VACUUM INTO ?').run(workerData.copy);
  } finally {
    db.close();
  }
} catch (error) {
  failure = { message: error.message, code: error.code };
}
parentPort.postMessage(failure);
`;
