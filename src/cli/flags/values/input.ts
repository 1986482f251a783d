import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { excerpt } from '../../output/text.js';

/** Reads a file that a flag names, or stdin for `-`. */
export async function readBytes(flag: string, path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  if (path === '') throw new UsageError(`${flag} requires a file name.`);
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${flag}: ${excerpt(path)} cannot be read: ${describeFileError(error)}.`);
  }
}

export async function readText(flag: string, path: string): Promise<string> {
  const bytes = await readBytes(flag, path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${flag}: ${path === '-' ? 'standard input' : path} is not valid UTF-8.`);
  }
}
