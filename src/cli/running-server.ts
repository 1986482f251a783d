import { UnreachableError } from '../client/failures.js';
import { CONTROL_PREFIX, controlRoutes } from '../contract/routes.js';
import { type RunningServer, readRunningServer } from './data-dir.js';
import { httpFetch } from './http-fetch.js';

/** The local server that is running on a data directory. */

const HEALTH_TIMEOUT_MS = 2_000;

/**
 * The server that server.json names, if it is the one that answers there. A live process is not enough: process ids come
 * round, and so do ports.
 */
export async function findRunningServer(dataDir: string): Promise<RunningServer | undefined> {
  const named = readRunningServer(dataDir);
  return named && (await answersAs(named)) ? named : undefined;
}

/** @throws UnreachableError when none is running. */
export async function requireRunningServer(dataDir: string): Promise<RunningServer> {
  const server = await findRunningServer(dataDir);
  if (server) return server;
  throw new UnreachableError(`The local server of ${dataDir}`, new Error('it is not running'));
}

async function answersAs({ base_url, instance }: RunningServer): Promise<boolean> {
  const { method, path } = controlRoutes.health;
  try {
    const url = new URL(CONTROL_PREFIX + path, base_url).href;
    const response = await httpFetch(url, { method, headers: {}, signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    const answer = JSON.parse(await response.text()) as { data?: { instance?: string } };
    return answer.data?.instance === instance;
  } catch {
    return false;
  }
}
