import { isLoopback } from '../../contract/vocabulary/parsers/loopback.js';
import { dataDirPath } from '../data-dir/find.js';
import { readRunningServer } from '../data-dir/server-file.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { isOwnAddress } from './own-address.js';

/**
 * Refuses the local server's key for another server. `svc dev env` sets it in the shell, where it would be used by
 * mistake.
 * @throws UsageError for such a key.
 */
export function refuseLocalKey(key: string, baseUrl: string, env: NodeJS.ProcessEnv): void {
  if (!key.startsWith('svc_test_') || isOwnAddress(new URL(baseUrl).hostname)) return;
  if (key !== runningServerKey(env) && !(key === env.SVC_API_KEY && isLoopbackUrl(env.SVC_BASE_URL))) return;
  throw new UsageError(
    `This is the API key of the local server, and ${baseUrl} is another server.`,
    'Pass that server’s key on stdin with --api-key-stdin, or unset SVC_API_KEY and SVC_BASE_URL first.',
  );
}

function runningServerKey(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return readRunningServer(dataDirPath({}, env, process.cwd()))?.server.api_key;
  } catch (error) {
    // An unusable server.json is a problem of other commands.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function isLoopbackUrl(url = ''): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
