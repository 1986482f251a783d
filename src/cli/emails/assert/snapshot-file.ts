import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Check, type CheckedEmail, failed, passed } from '../../../client/checks/check.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';

/**
 * Compares an email with the snapshot in a file, or writes it unless another check failed.
 * @throws CommandError if the file cannot be read or written.
 */
export async function checkSnapshot(
  email: CheckedEmail,
  file: string,
  { update, allPassed }: { update: boolean; allPassed: boolean },
): Promise<Check> {
  const { snapshotDiff, snapshotOf } = await import('../../../client/checks/snapshot.js');
  const name = `snapshot ${file}`;
  const found = snapshotOf(email);
  const expected = read(file);
  const diff = expected === undefined ? undefined : snapshotDiff(expected, found, file);
  if (expected !== undefined && diff === undefined) return passed(name, 'the email equals the snapshot');
  if (update && !allPassed) return failed(name, 'not written, because another check failed');
  if (update) {
    write(file, found);
    return passed(name, expected === undefined ? 'written' : 'updated');
  }
  if (expected === undefined) return failed(name, 'the file does not exist; to write it, add --update');
  return failed(name, 'the email differs from the snapshot; to accept it, add --update', diff);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`--snapshot: ${file} cannot be read: ${describeFileError(error)}.`);
  }
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`--snapshot: ${file} cannot be written: ${describeFileError(error)}.`);
  }
}
