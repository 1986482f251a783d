import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** More than any file that svc writes to a data directory, except the database. */
const SMALL_FILE_BYTES_MAX = 64 * 1024;

/**
 * Returns the text of a small regular file. Refuses large files, pipes and devices, which another user may have created
 * in its place.
 * @throws Error with the reason when the file cannot be used.
 */
export function readSmallFile(file: string): string {
  // Opening a pipe would otherwise wait for a writer.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw new Error('it is a directory');
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > SMALL_FILE_BYTES_MAX) throw new Error(`it is larger than ${SMALL_FILE_BYTES_MAX} bytes`);
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}
