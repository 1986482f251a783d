import { driverFile } from './connect.js';

/**
 * Runs a statement on a database file, and writes a copy of it without what deleted rows left in it: unused pages, and
 * remains within pages. Works in a thread of its own, because SQLite rewrites everything in one call.
 * @throws Error with SQLite's code.
 */
export async function writeCleanCopy(file: string, copy: string, statement: string): Promise<void> {
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
