import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { packageDirectory } from '../../../package-directory.js';
import { compilerAdvice } from '../../../system.js';
import { UnusableDatabaseError } from '../../common/schema-version.js';

const require = createRequire(join(import.meta.dirname, 'connect.js'));

/** A function of Node that better-sqlite3 calls if it was compiled with the headers of Node 24.19 or later. */
const ABORTING = 'RemoveEnvironmentCleanupHook';

/**
 * Opens an SQLite database.
 * @throws UnusableDatabaseError with what to install if better-sqlite3 cannot be loaded, else Error with SQLite's code.
 */
export function connect(file: string, options?: Database.Options): Database.Database {
  try {
    refuseAbortingPart();
    const driver: typeof Database = require('better-sqlite3');
    // Loads the compiled part, if this is the first database.
    return new driver(file, options);
  } catch (error) {
    const reason = reasonOf(error as Error);
    throw reason === undefined ? error : new UnusableDatabaseError(reason, { cause: error }, advice());
  }
}

/** The abort comes when a database is collected as garbage, so this is checked before the first one is opened. */
function refuseAbortingPart(): void {
  if (!process.versions.node.startsWith('24.') || driverFile() in require.cache) return;
  const compiled = join(driverFile(), '../../build/Release/better_sqlite3.node');
  if (!existsSync(compiled) || !readFileSync(compiled).includes(ABORTING)) return;
  throw new UnusableDatabaseError(
    'better-sqlite3 was compiled with the headers of Node 24.19 or later, which make it abort the process ' +
      '(https://github.com/nodejs/node/issues/65446).',
    {},
    'Use another major version of Node, or compile it with the headers of Node 24.18; docs/installation.md of svc ' +
      'shows how.',
  );
}

/** Returns the path of better-sqlite3, for threads. */
export function driverFile(): string {
  return require.resolve('better-sqlite3');
}

const HEADERS =
  'If it cannot download the headers of Node.js, set npm_config_nodedir to the directory that has include/node, such as /usr.';

/** Opens a database in memory, and closes it. @throws as `connect` does. */
export function checkDriver(): void {
  connect(':memory:').close();
}

/** Returns why better-sqlite3 cannot be loaded; undefined for an error of a database. */
function reasonOf({ code, message }: Error & { code?: string }): string | undefined {
  if (code === 'MODULE_NOT_FOUND') return 'better-sqlite3 is not installed: it was left out or did not compile.';
  if (message.startsWith('Could not locate the bindings file')) return 'better-sqlite3 was not compiled.';
  if (/NODE_MODULE_VERSION|did not self-register/.test(message)) {
    return `better-sqlite3 was compiled for another version of Node than this one, ${process.version}.`;
  }
  return code === 'ERR_DLOPEN_FAILED' ? `better-sqlite3 cannot be loaded: ${message.split('\n')[0]}` : undefined;
}

function advice(): string {
  const parts = [compilerAdvice(process.env), compilation(), 'svc needs it for local servers and local data only.'];
  return parts.filter((part) => part !== undefined).join(' ');
}

function compilation(): string {
  try {
    const modules = join(require.resolve('better-sqlite3/package.json'), '../..');
    return `Run "npm rebuild better-sqlite3 --ignore-scripts=false" in ${dirname(modules)}.`;
  } catch {
    const install = `npm install --no-save --omit=dev --foreground-scripts better-sqlite3@12`;
    return `Run "${install}" in ${packageDirectory()}: it shows why it cannot be installed. ${HEADERS}`;
  }
}

/**
 * Milliseconds that a statement waits for another process, such as a database browser, while the database is opened and
 * during rare work on the whole of it. SQLite blocks the thread meanwhile, which then answers no calls.
 */
export const BUSY_TIMEOUT_MS = 5_000;

/** Makes statements fail at once while another process has the lock. Transactions wait for it without blocking. */
export function failWhenBusy(db: Database.Database): void {
  db.pragma('busy_timeout = 0');
}

/** Runs statements that wait for another process. */
export function waitingWhenBusy<T>(db: Database.Database, work: () => T): T {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  try {
    return work();
  } finally {
    failWhenBusy(db);
  }
}
