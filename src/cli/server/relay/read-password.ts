import { readFileSync } from 'node:fs';
import { UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';

/** Returns the first line of a file. @throws UsageError if it cannot be read. */
export function readPassword(file: string): string {
  let line: string | undefined;
  try {
    [line] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${describeFileError(error)}.`);
  }
  if (!line) throw new UsageError(`${file} has no password in its first line.`);
  return line;
}
