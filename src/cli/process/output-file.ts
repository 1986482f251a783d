import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';

/** Checks that a file of a flag can be written, and leaves it as it was. @throws CommandError if it cannot. */
export function checkOutputFile(file: string, flag: string): void {
  const existed = existsSync(file);
  writingFile(file, flag, () => closeSync(openSync(file, 'a')));
  // An empty file may be invalid, and would remain if the command cannot be run. A symbolic link to it is kept.
  if (!existed) rmSync(realpathSync(file));
}

/** Writes to a file. @throws CommandError, with advice to choose another one with the flag. */
export function writingFile(file: string, flag: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${describeFileError(error)}.`, `Choose another file with ${flag}.`);
  }
}
