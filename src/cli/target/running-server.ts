import { UnreachableError } from '../../client/failures.js';
import { httpFetch } from '../../client/http-fetch.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { Result } from '../../contract/endpoint.js';
import { CONTROL_PREFIX, controlRoutes, siteOf } from '../../contract/vocabulary/routes.js';
import { dataDirPath } from '../data-dir/find.js';
import { otherServers } from '../data-dir/registry.js';
import { isLocked, isProven, type RunningServer, readRunningServer } from '../data-dir/server-file.js';
import { svcCommand, svcProgram } from '../data-dir/svc-command.js';
import { systemNow } from '../output/local-time.js';
import { oneLine, shellQuote } from '../output/text.js';
import { pause } from '../process/write-stdout.js';

/** Finds the local server that is running on a data directory. */

const HEALTH_TIMEOUT_MS = 2_000;
/** Additional time for a server that is known to be alive, because its machine may be busy. */
const STARTUP_TIMEOUT_MS = 3_000;
const LOOK_EVERY_MS = 50;

type Health = Result<Control['health']>;

/** A server of a data directory whose process is alive. */
export interface FoundServer {
  server: RunningServer;
  /** Undefined if the server does not respond. */
  health: Health | undefined;
}

/** A server that responds, and the time of its clock in the response. */
export interface RespondingServer extends RunningServer {
  now: string;
}

/**
 * Returns the server that server.json names. A live process is not enough, because process ids and ports are reused:
 * - The server must respond as the named instance. If it is stopped or too busy to respond, it must hold the data
 * directory's lock.
 * - Where the system cannot verify the process, it must hold the lock in any case, because another user may listen on
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
  // The server may have ended meanwhile, and another one started.
  if (readRunningServer(dataDir)?.server.instance !== server.instance) return lookForServer(dataDir);
  return { server, health: undefined };
}

/**
 * Returns the running server. @throws UnreachableError when it does not respond, because no other process may use its
 * data then.
 */
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

/** Returns the running server. @throws UnreachableError when none is running, or it does not respond. */
export async function requireRunningServer(dataDir: string): Promise<RespondingServer> {
  const server = await findRunningServer(dataDir);
  if (server) return server;
  throw await notRunning(dataDir);
}

/**
 * Waits until the server of a data directory responds, and returns it.
 * @throws UnreachableError after this many milliseconds of the machine's time.
 */
export async function waitForRunningServer(dataDir: string, milliseconds: number): Promise<RespondingServer> {
  const deadline = systemNow() + milliseconds;
  for (;;) {
    try {
      return await requireRunningServer(dataDir);
    } catch (error) {
      if (!(error instanceof UnreachableError) || systemNow() >= deadline) throw error;
    }
    await pause(Math.min(LOOK_EVERY_MS, Math.max(0, deadline - systemNow())));
  }
}

/**
 * Returns the error for a server that is not running. If its directory was not given with --data-dir, the hint names
 * another server. With `anyShell`, the command to start it works in every directory and environment.
 */
export async function notRunning(dataDir: string, { anyShell = false } = {}): Promise<UnreachableError> {
  const command = anyShell ? `${svcProgram()} dev --data-dir ${shellQuote(dataDir)}` : svcCommand('dev', dataDir);
  const start = `Start it with "${command}".`;
  const other =
    dataDirPath({}, process.env, process.cwd()) === dataDir ? await adviceForOtherServer(dataDir) : undefined;
  const hint = other === undefined ? start : `${start} ${other}`;
  return new UnreachableError(localServerOf(dataDir), new Error('it is not running'), hint);
}

/** Returns a notice for a command that works in-process while a server is running on another data directory. */
export async function otherServerNotice(dataDir: string): Promise<string | undefined> {
  const use = await adviceForOtherServer(dataDir);
  return use === undefined ? undefined : `Using the data directory ${oneLine(dataDir)}, without a server. ${use}`;
}

/**
 * Returns the error for a command whose data directory nothing names, while a server is running on another one. Without
 * it, the command would store email that no server reads.
 */
export async function otherServerConflict(dataDir: string): Promise<UnreachableError | undefined> {
  const use = await adviceForOtherServer(dataDir);
  if (use === undefined) return undefined;
  const own = `To use ${oneLine(dataDir)} without a server, add --data-dir ${shellQuote(oneLine(dataDir))}.`;
  return new UnreachableError(localServerOf(dataDir), new Error('it is not running'), `${use}\n${own}`);
}

async function adviceForOtherServer(dataDir: string): Promise<string | undefined> {
  const [other] = await otherServers(dataDir);
  return (
    other && `To use the server at ${other.server.base_url}, add --data-dir ${shellQuote(oneLine(other.dataDir))}.`
  );
}

/** Returns how to use a local server of this user by its address; undefined if none is there. */
export async function adviceForServerAt(baseUrl: string): Promise<string | undefined> {
  const found = (await otherServers('')).find(({ server }) => server.base_url === baseUrl);
  return (
    found &&
    `It is the local server of ${oneLine(found.dataDir)}: add --data-dir ${shellQuote(oneLine(found.dataDir))}.`
  );
}

function localServerOf(dataDir: string): string {
  return `the local server of ${dataDir}`;
}

/** Returns a server’s health; undefined unless the instance in server.json responds at its address. */
export async function healthOf({ base_url, instance }: RunningServer, timeoutMs: number): Promise<Health | undefined> {
  const { method, path } = controlRoutes.health;
  try {
    const url = siteOf(base_url) + CONTROL_PREFIX + path;
    const response = await httpFetch(url, { method, headers: {}, signal: AbortSignal.timeout(timeoutMs) });
    const { data } = JSON.parse(await response.text()) as { data?: Health };
    return data?.instance === instance ? data : undefined;
  } catch {
    return undefined;
  }
}
