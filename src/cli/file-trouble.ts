import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './exit-codes.js';

const REASONS: Record<string, string> = {
  EACCES: 'permission is denied',
  EEXIST: 'something stands there already',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file stands where a directory should be',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
};

/** What the file system refused, in words: the end of "FILE cannot be read: ". */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}

/** @throws UsageError when a directory is to be read or written, and a file stands there or on the way. `flag` is what named it. */
export function refuseFile(path: string, flag?: string): void {
  const found = stats(path);
  if (found === 'below a file') refuseFile(dirname(path), flag);
  else if (found?.isFile())
    throw new UsageError(`${flag === undefined ? '' : `${flag}: `}${path} is a file, not a directory.`);
}

function stats(path: string): Stats | 'below a file' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Anything else shows when the directory is used.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'below a file' : undefined;
  }
}
