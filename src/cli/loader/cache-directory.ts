import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import envPaths from 'env-paths';

/**
 * Finds the directory for compiled code: in the user's cache directory, one for each build, Node version and set of
 * Node flags.
 */

/** Permission bits of other users. A user who can write to the directory can run code as this user. */
const OTHERS_MAY_WRITE = 0o022;

/**
 * Returns the directory for this process; undefined when the cache is disabled, or another user can write to the
 * directory.
 */
export function findCacheDirectory(build: string, env: NodeJS.ProcessEnv): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const flags = crc32([...process.execArgv, env.NODE_OPTIONS ?? ''].join('\n')).toString(36);
  const name = `${build}-node-${process.version}-${process.arch}-${flags}`;
  const directory = join(envPaths('svc', { suffix: '' }).cache, 'code', name);
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats === undefined || isOwn(stats) ? directory : undefined;
}

function isOwn({ uid, mode }: { uid: number; mode: number }): boolean {
  // Windows has neither owners nor modes.
  return process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_MAY_WRITE) === 0);
}
