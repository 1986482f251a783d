import { UsageError } from '../errors/exit-codes.js';

/** An API key and where it comes from. */
export interface ApiKeyWithSource {
  value: string;
  /** A flag, a variable, or its owner: `SVC_API_KEY`, `profile production`. */
  source: string;
}

/** Returns what to do about a key that does not work; without a source it is one that svc found itself. */
export function keyAdvice(source: string | undefined): string {
  const origin = source === undefined ? 'The key is the local server’s own' : `The key comes from ${source}`;
  return `${origin}. Use another with --api-key, SVC_API_KEY or --profile.`;
}

/** Characters that a header cannot contain unchanged: whitespace, line breaks, and the middle of a masked key. */
const INVALID_KEY_CHARACTER = /[^\x21-\x7e]/;

/** Returns a valid key. @throws UsageError that does not repeat the key. */
export function checkKey(value: string, source: string): string {
  if (value !== '' && !INVALID_KEY_CHARACTER.test(value)) return value;
  throw new UsageError(
    value === '' ? `${source} is empty.` : `${source} contains a character that is not allowed in an API key.`,
    'Copy the complete key again, without spaces or line breaks. "svc profiles" shows shortened keys only.',
  );
}
