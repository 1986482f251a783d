import { isLoopback } from '../../contract/vocabulary/domains.js';
import { UsageError } from '../errors/exit-codes.js';

/** An API key, and the setting that contains it. */
export interface ApiKeyWithSource {
  value: string;
  /** The flag, variable or profile: `SVC_API_KEY`, `profile production`. */
  source: string;
}

interface ChosenKey {
  /** The server's base URL; undefined for one in this process. */
  baseUrl?: string;
  /** The setting that contains the key; undefined for the local server's own key, which svc reads itself. */
  keySource?: string | undefined;
  /** Whether the local server is used because no setting names a server. */
  isDefault?: true;
}

const OWN_KEY = '"svc dev env" prints that of the local server. ';
const TO_GET_ONE = 'On a server for a team, someone with an admin key creates another with "svc api-keys create".';

/** Returns advice for an invalid key: its source, and where to get a valid one. */
export function keyAdvice({ baseUrl, keySource, isDefault }: ChosenKey): string {
  if (keySource !== undefined && isDefault) {
    const omit = keySource.startsWith('--') ? 'omit' : 'unset';
    return (
      `The key comes from ${keySource}, and the server is the local one, because SVC_BASE_URL is not set. ` +
      `Set SVC_BASE_URL to the address of the key’s server, or ${omit} ${keySource} to use the local server’s own key.`
    );
  }
  const origin = keySource === undefined ? 'The key is the local server’s own' : `The key comes from ${keySource}`;
  const isLocal = keySource !== undefined && baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
  return `${origin}. Use another with --api-key, SVC_API_KEY or --profile. ${isLocal ? OWN_KEY : ''}${TO_GET_ONE}`;
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
