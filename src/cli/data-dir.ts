import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { CommandError } from './exit-codes.js';
import { fileTrouble } from './file-trouble.js';
import { makeDirectory, PRIVATE } from './make-directory.js';
import { type ReplaceOptions, replaceFile } from './replace-file.js';

/** The data directory: `mail.db`, the local server's credentials, and what is known of a server while it runs. */

const DATABASE_FILE = 'mail.db';
const CREDENTIALS_FILE = 'credentials.json';
const SERVER_FILE = 'server.json';
const MEMORY_SYNC_FILE = 'memory-sync.json';
const OWNER_ONLY = 0o600;

/** `--data-dir`, else `SVC_DATA_DIR`, else the nearest `.svc/` at or above the working directory, else the user's own. */
export function findDataDir(flag: string | undefined, env: NodeJS.ProcessEnv, cwd: string): string {
  const named = flag ?? env.SVC_DATA_DIR;
  if (named) return resolve(cwd, named);
  for (let directory = cwd; ; directory = dirname(directory)) {
    const candidate = join(directory, '.svc');
    if (existsSync(candidate)) return candidate;
    if (dirname(directory) === directory) return envPaths('svc', { suffix: '' }).data;
  }
}

export function createDataDir(directory: string): void {
  try {
    makeDirectory(directory, PRIVATE);
  } catch (error) {
    throw unusableDataDir(directory, error);
  }
}

/** The database's file. @throws CommandError when a directory stands in its place, which SQLite calls a disk I/O error. */
export function databaseFile(directory: string): string {
  const file = join(directory, DATABASE_FILE);
  if (!(existsSync(file) && statSync(file).isDirectory())) return file;
  throw new CommandError(`${file} cannot be used: it is a directory.`, 'Name another data directory with --data-dir.');
}

/** What the local server's user needs to call it: made with the data directory, the same ever after. */
export interface Credentials {
  api_key: string;
  webhook_secret: string;
}

export function newCredentials(): Credentials {
  return {
    api_key: `svc_test_${randomBytes(16).toString('hex')}`,
    webhook_secret: `whsec_${randomBytes(24).toString('hex')}`,
  };
}

/** Those of the data directory. Of several processes that find none at once, one makes them for all. */
export function readOrCreateCredentials(directory: string): Credentials {
  const file = join(directory, CREDENTIALS_FILE);
  if (!existsSync(file)) writeOwnerOnly(directory, CREDENTIALS_FILE, newCredentials(), placeFirst);
  const found = readJson<Credentials>(file);
  if (found?.api_key && found.webhook_secret) return found;
  throw new CommandError(`${file} cannot be read as credentials.`, 'Mend it, or remove it to have new ones made.');
}

/**
 * Tells this data directory from every other, wherever it is moved to, and tells nothing of its credentials; undefined when it
 * has none.
 */
export function dataDirId(directory: string): string | undefined {
  const found = readJson<Credentials>(join(directory, CREDENTIALS_FILE));
  if (!found) return undefined;
  return createHash('sha256')
    .update(`data directory ${found.api_key} ${found.webhook_secret}`)
    .digest('hex')
    .slice(0, 16);
}

/** Where a running server of this data directory is. */
export interface RunningServer extends Credentials {
  pid: number;
  instance: string;
  base_url: string;
  smtp: { host: string; port: number };
  /** Where mail is kept; null in memory. */
  data_dir: string | null;
  started_at: string;
}

/** The server that server.json names, if its process is alive. */
export function readRunningServer(directory: string): RunningServer | undefined {
  const server = readJson<RunningServer>(join(directory, SERVER_FILE));
  return server && isAlive(server.pid) ? server : undefined;
}

export function writeRunningServer(directory: string, server: RunningServer): void {
  writeOwnerOnly(directory, SERVER_FILE, server);
}

/** What was synced with a server in memory: for as long as it runs. */
export function memorySyncFile(directory: string): string {
  return join(directory, MEMORY_SYNC_FILE);
}

/** Forgets the server that ran. For whoever is the server of the directory, and has its lock. */
export function removeServerFiles(directory: string): void {
  for (const file of [SERVER_FILE, MEMORY_SYNC_FILE]) rmSync(join(directory, file), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and is kept for its parent, who has not asked how yet; only Linux tells. */
function hasEnded(pid: number): boolean {
  try {
    // The state stands after the name, which may hold anything. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

function writeOwnerOnly(directory: string, name: string, value: unknown, place?: ReplaceOptions['place']): void {
  try {
    replaceFile(join(directory, name), `${JSON.stringify(value, null, 2)}\n`, {
      mode: OWNER_ONLY,
      ...(place && { place }),
    });
  } catch (error) {
    throw unusableDataDir(directory, error);
  }
}

/** As a rename, but leaves a file alone that is there already. */
function placeFirst(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // A file system without links cannot tell who was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
  rmSync(draft, { force: true });
}

/** The data directory itself is what is wrong, whatever was to be done with it. */
export function unusableDataDir(directory: string, error: unknown): CommandError {
  return new CommandError(
    `The data directory ${directory} cannot be written: ${fileTrouble(error)}`,
    'Name another one with --data-dir or SVC_DATA_DIR; "svc dev --in-memory" needs none.',
  );
}
