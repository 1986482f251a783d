import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import { writeFileAtomically } from '../process/atomic-write.js';
import { readSmallFile } from '../process/read-small-file.js';
import { isProven, type RunningServer, readRunningServer } from './server-file.js';
import { examineNamed } from './trust.js';

/**
 * Lists the data directories of this user's running servers, so that a command can name a server that it does not use.
 * A failure to read or write the list is ignored, because no command depends on it.
 */

/** A running server, and the data directory by which commands find it. */
export interface RegisteredServer {
  server: RunningServer;
  dataDir: string;
}

export function registerServer(dataDir: string): void {
  try {
    mkdirSync(registry(), { recursive: true, mode: PRIVATE });
    writeFileAtomically(entryOf(dataDir), dataDir, { mode: OWNER_ONLY });
  } catch {
    // The home directory does not exist, or is read-only.
  }
}

export function unregisterServer(dataDir: string): void {
  try {
    rmSync(entryOf(dataDir), { force: true });
  } catch {
    // A reader ignores and removes it.
  }
}

/** Returns the running servers of other data directories, the latest first. */
export async function otherServers(dataDir: string): Promise<RegisteredServer[]> {
  const found: RegisteredServer[] = [];
  for (const other of registered()) {
    if (other === dataDir) continue;
    const server = await serverOf(other);
    if (server === 'ended') unregisterServer(other);
    else if (server) found.push({ server, dataDir: other });
  }
  return found.sort((one, other) => (one.server.started_at < other.server.started_at ? 1 : -1));
}

/** Returns the server of a data directory; undefined if it cannot be used, or its file cannot be read now. */
async function serverOf(dataDir: string): Promise<RunningServer | 'ended' | undefined> {
  try {
    if (examineNamed(dataDir).distrust) return undefined;
    const named = readRunningServer(dataDir);
    if (!named) return 'ended';
    return (await isProven(dataDir, named)) ? named.server : undefined;
  } catch {
    return undefined;
  }
}

function registered(): string[] {
  return orNone(() => readdirSync(registry())).flatMap((name) => orNone(() => [readSmallFile(join(registry(), name))]));
}

/** Returns nothing for a file or directory that cannot be read, such as an entry that was removed meanwhile. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function entryOf(dataDir: string): string {
  return join(registry(), createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

function registry(): string {
  return join(envPaths('svc', { suffix: '' }).log, 'servers');
}
