import { WEBHOOK_URL_CHARACTERS } from '../limits.js';
import { isLoopback } from './loopback.js';
import { CONTROL_CHARACTER } from './text.js';

/** Returns why a text is not a valid webhook URL; undefined if it is valid. */
export function webhookUrlProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (value.length > WEBHOOK_URL_CHARACTERS) return `must be at most ${WEBHOOK_URL_CHARACTERS} characters`;
  if (CONTROL_CHARACTER.test(value)) return 'must not contain a line break or another control character';
  return webhookUrlFormProblem(value);
}

/** Returns why a text is not https, or http to a loopback host (gap 21); undefined if it is. */
export function webhookUrlFormProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be a URL such as https://example.com/hooks';
  const url = new URL(value);
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  return 'must be https (plain http only to localhost, 127.0.0.0/8 or ::1)';
}
