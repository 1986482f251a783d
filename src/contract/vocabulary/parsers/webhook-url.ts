import { WEBHOOK_URL_CHARACTERS } from '../limits.js';
import { isLoopback } from './loopback.js';
import { CONTROL_CHARACTER } from './text.js';

/** Returns why a text is not a valid webhook URL; undefined if it is valid. */
export function webhookUrlProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (value.length > WEBHOOK_URL_CHARACTERS) return `must be at most ${WEBHOOK_URL_CHARACTERS} characters`;
  if (CONTROL_CHARACTER.test(value)) return 'must not contain a line break or another control character';
  return webhookUrlFormProblem(value) ?? plainHttpProblem(value);
}

/** The form of a webhook's URL: no white space, user name or fragment. */
const WEBHOOK_URL_PATTERN = String.raw`^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$`;
/** The same with the rules about plain http and control characters, for the API description. */
export const PUBLIC_WEBHOOK_URL_PATTERN = String.raw`^(?:[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s\p{Cc}/?#@\\]+|[Hh][Tt][Tt][Pp]:\/\/(?:[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127(?:\.\d+){3}|\[::1\])(?::\d+)?)(?:[/?][^\s\p{Cc}#]*)?$`;
const FORM = new RegExp(WEBHOOK_URL_PATTERN, 'u');

/** Returns why a text is not an http or https URL without credentials and fragment; undefined if it is one. */
export function webhookUrlFormProblem(value: string): string | undefined {
  if (/\s/u.test(value)) return 'must not contain white space';
  if (!URL.canParse(value)) return 'must be a URL such as https://example.com/hooks';
  const url = new URL(value);
  if (url.username || url.password) return 'must not contain a user name or password';
  if (!/^https?:$/.test(url.protocol)) return HTTPS_RULE;
  if (value.includes('#')) return 'must not contain a fragment (#)';
  return FORM.test(value) ? undefined : 'must be a URL such as https://example.com/hooks';
}

/** Returns why svc does not post to a URL without encryption; undefined if it does. Plain http is for loopback. Gap 21. */
export function plainHttpProblem(value: string): string | undefined {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname) ? undefined : HTTPS_RULE;
}

const HTTPS_RULE = 'must be https (plain http only to localhost, 127.0.0.0/8 or ::1)';
