import { statSync } from 'node:fs';
import { Client } from '../../client/client.js';
import { databaseFile } from '../data-dir/data-dir.js';
import { type FoundDataDir, locateDataDir } from '../data-dir/find.js';
import { isProven, type RunningServer, readRunningServer } from '../data-dir/server-file.js';
import type { TargetFlags } from '../flags/target.js';
import { networkFetch } from '../target/network-fetch.js';
import { keyFor, namedServer, userAgent } from '../target/target.js';
import { namesFromApi } from './api-names.js';
import { type Name, type NameKind, namesOf } from './names.js';

/** Returns the names of a target's resources: from the database of a data directory, or from the service. */

/** The shell is blocked during this time. */
const TIMEOUT_SECONDS = 0.5;

/** Returns the names of a target's resources. @throws Error when they are not available in time. */
export async function namesFromTarget(
  kind: NameKind,
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Name[]> {
  const located = locateDataDir(flags, env, cwd);
  const chosen = namedServer(flags, env);
  const running = await provenServer(located).catch((error: unknown) => {
    // A selected server does not need a usable data directory.
    if (chosen) return undefined;
    throw error;
  });
  // The database does not contain the resources of a server in memory.
  const inMemory = running?.data_dir === null ? { baseUrl: running.base_url, why: 'it is running' } : undefined;
  const named = chosen ?? inMemory;
  if (!named) {
    const file = databaseFile(located.path);
    if (!statSync(file).isFile()) return [];
    const { readResourceLists } = await import('../../storage/resource-lists.js');
    return readResourceLists(file, (lists) => namesOf(lists, kind));
  }
  const { baseUrl } = named;
  const apiKey = keyFor(flags, env, named)?.value ?? (running?.base_url === baseUrl ? running.api_key : undefined);
  if (!apiKey) return [];
  const fetch = networkFetch(baseUrl, { timeoutSeconds: TIMEOUT_SECONDS, env });
  const client = new Client({
    baseUrl,
    apiKey,
    userAgent,
    // A command may wait without a time limit, a shell may not.
    fetch: (url, { noTimeout: _, ...init }) => fetch(url, init),
  });
  return namesFromApi(client, kind);
}

/** Returns the running server of a data directory, without sending a request to it. */
async function provenServer({ path: dataDir, refusal }: FoundDataDir): Promise<RunningServer | undefined> {
  if (refusal) throw refusal;
  const named = readRunningServer(dataDir);
  return named && (await isProven(dataDir, named)) ? named.server : undefined;
}
