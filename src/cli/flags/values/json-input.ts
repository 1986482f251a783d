import { UsageError } from '../../errors/exit-codes.js';
import { excerpt } from '../../output/text.js';
import { readText } from '../../process/files.js';

/** A JSON object from a flag. */
export interface JsonInput {
  /** The name to use in an error: the flag, or the file. */
  source: string;
  text: string;
  value: Record<string, unknown>;
}

/** Returns the file that a flag's value names; undefined for stdin and for inline JSON. */
export function jsonFileOf(value: string): string | undefined {
  const path = value.replace(/^@/, '');
  return isInline(value) || path === '-' ? undefined : path;
}

/** Reads a JSON object from a flag: `@FILE`, `-` for stdin, inline JSON, or a file name. */
export async function readJsonInput(flag: string, value: string): Promise<JsonInput> {
  const source = jsonFileOf(value) ?? flag;
  const text = isInline(value) ? value : await readNamed(flag, value);
  return { source, text, value: parseObject(text, source) };
}

const FORMS = 'Pass a JSON object, @FILE, or - for stdin.';

/** Returns whether the value is JSON. Arrays and strings count too, so that the error is not about a missing file. */
function isInline(value: string): boolean {
  return /^\s*[{["]/.test(value);
}

async function readNamed(flag: string, value: string): Promise<string> {
  try {
    return await readText(flag, value.replace(/^@/, ''));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, FORMS) : error;
  }
}

/** Parses a JSON object. @throws UsageError that names the source. */
export function parseObject(text: string, source: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${excerpt(source)} is not valid JSON: ${(error as Error).message}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${excerpt(source)} must contain a JSON object.`, FORMS);
}

/** Returns the position of a key in JSON; 0 without it. */
export function keyIndex(json: string, key: string): number {
  const quoted = JSON.stringify(key);
  const colon = /\s*:/y;
  for (let at = json.indexOf(quoted); at !== -1; at = json.indexOf(quoted, at + 1)) {
    colon.lastIndex = at + quoted.length;
    if (colon.test(json)) return at;
  }
  return 0;
}
