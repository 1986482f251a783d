import { UsageError } from '../../errors/exit-codes.js';
import { readText } from '../../flags/values/input.js';

/** Returns the first line of a file. `flag` is the flag or field that named it. @throws UsageError if it is empty. */
export async function readPassword(flag: string, file: string): Promise<string> {
  const [line] = (await readText(flag, file)).split(/\r?\n/, 1);
  if (line) return line;
  throw new UsageError(`${flag}: ${file} has no password in its first line.`);
}
