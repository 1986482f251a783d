import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DEFAULT_HTTP_PORT } from '../../contract/vocabulary/routes.js';
import { UsageError } from './exit-codes.js';

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EEXIST: 'file already exists',
  EISDIR: 'it is a directory',
  ELOOP: 'symbolic links form a loop',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENFILE: 'too many open files in the system',
  ENOENT: 'no such file or directory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is not a directory',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** Describes an error of the file system, as the end of "Cannot read FILE: ". */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}

/**
 * Checks that a path can be a directory. `flag` is the flag that named it. @throws UsageError when the path or one of
 * its parents is a file.
 */
export function assertDirectoryPath(path: string, flag?: string): void {
  const found = stats(path);
  if (found === 'below a file') assertDirectoryPath(dirname(path), flag);
  else if (found?.isFile())
    throw new UsageError(`${flag === undefined ? '' : `${flag}: `}${path} is a file, not a directory.`);
}

function stats(path: string): Stats | 'below a file' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Any other error is reported when the directory is used.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'below a file' : undefined;
  }
}

/** Refuses a pipe or device in place of a file: reading it would wait for a writer. @throws UsageError. */
export function refuseSpecialFile(path: string): void {
  const found = stats(path);
  if (typeof found !== 'object' || found.isFile() || found.isDirectory()) return;
  throw new UsageError(`${path} is not a regular file.`);
}

/** Returns how to start the local server at an address, or to use another. */
export function startAdvice(baseUrl: string, env: NodeJS.ProcessEnv): string {
  const { port, origin } = new URL(baseUrl);
  const start = Number(port) === DEFAULT_HTTP_PORT ? 'svc dev' : `svc dev --http-port ${port || 80}`;
  const isFromVariable = URL.canParse(env.SVC_BASE_URL ?? '') && new URL(env.SVC_BASE_URL ?? '').origin === origin;
  const other = isFromVariable ? 'unset SVC_BASE_URL' : 'check --base-url and the profile';
  return `Start it with "${start}", or ${other}.`;
}
