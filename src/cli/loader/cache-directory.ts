import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import envPaths from 'env-paths';

/** Compiled code is kept in the user's cache directory, in one directory for each build, Node version and set of Node flags. */

/** Permission bits that let other users write: a user who can write there decides what code runs here. */
const OTHERS_MAY_WRITE = 0o022;

/** Returns the directory for this process; undefined when the cache is disabled, or the directory belongs to another user. */
export function findCacheDirectory(build: string, env: NodeJS.ProcessEnv): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const flags = crc32([...process.execArgv, env.NODE_OPTIONS ?? ''].join('\n')).toString(36);
  const name = `${build}-node-${process.version}-${process.arch}-${flags}`;
  const directory = join(envPaths('svc', { suffix: '' }).cache, 'code', name);
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats === undefined || isOwn(stats) ? directory : undefined;
}

function isOwn({ uid, mode }: { uid: number; mode: number }): boolean {
  // Windows has neither.
  return process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_MAY_WRITE) === 0);
}
