import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import { readSmallFile, writeFileAtomically } from '../process/files.js';
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
  remove(entryOf(dataDir));
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next reader tries again.
  }
}

/** Returns the running servers of other data directories, the latest first. */
export async function otherServers(dataDir: string): Promise<RegisteredServer[]> {
  const found = new Map<string, RegisteredServer>();
  for (const { file, dataDir: other } of entries()) {
    if (other === dataDir) continue;
    const server = await serverOf(other);
    if (server === 'ended') remove(file);
    else if (server) found.set(other, { server, dataDir: other });
  }
  return [...found.values()].sort((one, other) => (one.server.started_at < other.server.started_at ? 1 : -1));
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

interface Entry {
  file: string;
  dataDir: string;
}

/** Returns the readable entries. A draft that is still empty is not one. */
function entries(): Entry[] {
  return entryFiles().flatMap((file) => {
    try {
      const dataDir = readSmallFile(file);
      return isAbsolute(dataDir) ? [{ file, dataDir }] : [];
    } catch {
      // Another process has removed it, or svc did not write it.
      return [];
    }
  });
}

function entryFiles(): string[] {
  try {
    return readdirSync(registry()).map((name) => join(registry(), name));
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
