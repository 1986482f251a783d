import { HOST_LABEL_PATTERN, isLoopback, LAST_HOST_LABEL_PATTERN, LAST_LABEL_PATTERN } from '../domains.js';
import { WEBHOOK_URL_CHARACTERS } from '../limits.js';
import { CONTROL_CHARACTER } from '../text.js';

/** Returns why a text is not a valid webhook URL; undefined if it is valid. */
export function webhookUrlProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (value.length > WEBHOOK_URL_CHARACTERS) return `must be at most ${WEBHOOK_URL_CHARACTERS} characters`;
  if (CONTROL_CHARACTER.test(value)) return 'must not contain a line break or another control character';
  return webhookUrlFormProblem(value) ?? plainHttpProblem(value);
}

/** The form of a webhook's URL: no white space, user name or fragment. */
const WEBHOOK_URL_PATTERN = String.raw`^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$`;

const HTTPS = '[Hh][Tt][Tt][Pp][Ss]';
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const LOOPBACK = String.raw`(?:[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127(?:\.${OCTET}){3}|\[::1\])`;
const PORT = String.raw`(?::(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|\d{1,4}))`;
const PATH = String.raw`(?:[/?][^\s\p{Cc}#]*)`;
const describedUrl = (host: string) => String.raw`^(?:${HTTPS}:\/\/${host}|${HTTPS}?:\/\/${LOOPBACK})${PORT}?${PATH}?$`;

/** Returns the form of a name or an IP address. */
function anyHost(): string {
  // A name whose last label is a number would be an address.
  const name = String.raw`(?:${HOST_LABEL_PATTERN}\.)*${LAST_HOST_LABEL_PATTERN}\.?`;
  const group = '[0-9A-Fa-f]{1,4}';
  const groups = (most: number) => `(?:${group}(?::${group}){0,${most - 1}})?`;
  const before = (count: number) => `${group}(?::${group}){${count - 1}}`;
  const shortened = [1, 2, 3, 4, 5, 6].map((count) => `${before(count)}::${groups(7 - count)}`);
  const ipv6 = [`::${groups(7)}`, ...shortened, `${before(7)}(?:::|:${group})`].join('|');
  return String.raw`(?:${name}|${OCTET}(?:\.${OCTET}){3}|\[(?:${ipv6})\])`;
}

/**
 * The same for the API description, with the rules about plain http, control characters, hosts and ports. It leaves out
 * forms of a host that no one writes but the server reads, such as 0x7f.1 and a%62.test.
 */
export const PUBLIC_WEBHOOK_URL_PATTERN = describedUrl(anyHost());
/** The same for a strict server, which needs a public name or loopback. */
export const STRICT_WEBHOOK_URL_PATTERN = describedUrl(
  String.raw`(?:${HOST_LABEL_PATTERN}\.)+${LAST_LABEL_PATTERN}\.?`,
);
const FORM = new RegExp(WEBHOOK_URL_PATTERN, 'u');

/** Returns why a text is not an http or https URL without credentials and fragment; undefined if it is one. */
export function webhookUrlFormProblem(value: string): string | undefined {
  if (/\s/u.test(value)) return 'must not contain white space';
  if (!URL.canParse(value)) return 'must be a URL such as https://example.com/hooks';
  const url = new URL(value);
  if (url.username || url.password) return 'must not contain a user name or password';
  if (!/^https?:$/.test(url.protocol)) return 'must begin with https://, or with http:// for this machine';
  if (value.includes('#')) return 'must not contain a fragment (#)';
  return FORM.test(value) ? undefined : 'must be a URL such as https://example.com/hooks';
}

/** Returns why svc does not post to a URL without encryption; undefined if it does. Plain http is for loopback. Gap 21. */
export function plainHttpProblem(value: string): string | undefined {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname) ? undefined : HTTPS_RULE;
}

const HTTPS_RULE = 'must be https (plain http only to localhost, 127.0.0.0/8 or ::1)';
