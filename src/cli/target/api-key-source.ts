import { UsageError } from '../errors/exit-codes.js';

/** An API key, and the setting that contains it. */
export interface ApiKeyWithSource {
  value: string;
  /** The flag, variable or profile: `SVC_API_KEY`, `profile production`. */
  source: string;
}

/** Returns advice for an invalid key. Without a source, svc has read the local server's own key. */
export function keyAdvice(source: string | undefined): string {
  const origin = source === undefined ? 'The key is the local server’s own' : `The key comes from ${source}`;
  return `${origin}. Use another with --api-key, SVC_API_KEY or --profile.`;
}

/** Characters that a header cannot contain unchanged: whitespace, line breaks, and the ellipsis of a masked key. */
const INVALID_KEY_CHARACTER = /[^\x21-\x7e]/;

/** Returns the key. @throws UsageError for an invalid key; the message does not repeat it. */
export function checkKey(value: string, source: string): string {
  if (value !== '' && !INVALID_KEY_CHARACTER.test(value)) return value;
  throw new UsageError(
    value === '' ? `${source} is empty.` : `${source} contains a character that is not allowed in an API key.`,
    'Copy the complete key again, without spaces or line breaks. "svc profiles" shows shortened keys only.',
  );
}
