import { UnreachableError } from '../../client/failures.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { Result } from '../../contract/endpoint.js';
import { CONTROL_PREFIX, controlRoutes } from '../../contract/vocabulary/routes.js';
import { svcCommand } from '../command/svc-command.js';
import { isLocked, isProven, type RunningServer, readRunningServer } from '../data-dir/server-file.js';
import { httpFetch } from '../target/http-fetch.js';

/** Finds the local server that is running on a data directory. */

const HEALTH_TIMEOUT_MS = 2_000;
/** The additional time for a server that is known to be alive: its machine may be busy. */
const STARTUP_TIMEOUT_MS = 3_000;

type Health = Result<Control['health']>;

/** A server of a data directory whose process is alive. */
export interface FoundServer {
  server: RunningServer;
  /** Undefined if it does not respond. */
  health: Health | undefined;
}

/** A server that responds, and the time of its clock when it did. */
export interface RespondingServer extends RunningServer {
  now: string;
}

/**
 * Returns the server that server.json names. A live process is not enough, since process ids and ports are reused: it
 * must answer as that server or, being stopped or too busy to answer, have the data directory's lock. Where the system
 * does not report whether the process is still the same, it must have the lock in any case: another user may listen on
 * the port by now.
 */
export async function lookForServer(dataDir: string): Promise<FoundServer | undefined> {
  const named = readRunningServer(dataDir);
  if (!named || !(await isProven(dataDir, named))) return undefined;
  const { server, identity } = named;
  const isKnown = identity === 'server';
  let health = await healthOf(server, isKnown ? HEALTH_TIMEOUT_MS : HEALTH_TIMEOUT_MS + STARTUP_TIMEOUT_MS);
  if (!health && isKnown) {
    if (!(await isLocked(dataDir))) return undefined;
    health = await healthOf(server, STARTUP_TIMEOUT_MS);
  }
  if (health) return { server, health };
  // It may have ended meanwhile, and another started.
  if (readRunningServer(dataDir)?.server.instance !== server.instance) return lookForServer(dataDir);
  return { server, health: undefined };
}

/** Returns the running server. @throws UnreachableError when it does not answer: no other process may use its data then. */
export async function findRunningServer(dataDir: string): Promise<RespondingServer | undefined> {
  const found = await lookForServer(dataDir);
  if (!found) return undefined;
  const { server, health } = found;
  if (health) return { ...server, now: health.now };
  const { pid } = server;
  throw new UnreachableError(
    localServerOf(dataDir),
    new Error(`pid ${pid} is running but does not answer`),
    `Wait for it, resume it with "kill -CONT ${pid}" if it was suspended, or stop it with "${svcCommand('dev stop', dataDir)}".`,
  );
}

/** @throws UnreachableError when none is running, or it does not answer. */
export async function requireRunningServer(dataDir: string): Promise<RespondingServer> {
  const server = await findRunningServer(dataDir);
  if (server) return server;
  throw notRunning(dataDir);
}

export function notRunning(dataDir: string): UnreachableError {
  const hint = `Start it with "${svcCommand('dev', dataDir)}".`;
  return new UnreachableError(localServerOf(dataDir), new Error('it is not running'), hint);
}

function localServerOf(dataDir: string): string {
  return `the local server of ${dataDir}`;
}

/** Returns a server’s health; undefined unless the instance that server.json names answers at its address. */
export async function healthOf({ base_url, instance }: RunningServer, timeoutMs: number): Promise<Health | undefined> {
  const { method, path } = controlRoutes.health;
  try {
    const url = new URL(CONTROL_PREFIX + path, base_url).href;
    const response = await httpFetch(url, { method, headers: {}, signal: AbortSignal.timeout(timeoutMs) });
    const { data } = JSON.parse(await response.text()) as { data?: Health };
    return data?.instance === instance ? data : undefined;
  } catch {
    return undefined;
  }
}
