import { isLoopback } from '../../contract/vocabulary/domains.js';

/** Replaces what differs between two emails of the same template, such as IDs and tokens, by a name in brackets. */

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** An ID of the service, such as msg_01k9m3v5w7x9y1z3a5b7c9d1e3. */
const PREFIXED_ID = /\b[a-z]{2,10}_[0-9a-hjkmnp-tv-z]{26}\b/g;
const DATE_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?/g;
const WEB_URL = /\bhttps?:\/\/[^\s<>"']+/g;

/** Returns a text without its volatile parts. `codes` are the one-time codes in it. */
export function withoutVolatile(text: string, codes: readonly string[] = []): string {
  const stable = text
    .replace(WEB_URL, stableUrl)
    .replace(UUID, '[id]')
    .replace(PREFIXED_ID, '[id]')
    .replace(DATE_TIME, '[time]');
  return codes.flatMap(spellings).reduce((result, code) => replaceWord(result, code, '[code]'), stable);
}

/** Returns a code as emails show it: as it is, in two halves, or with its characters apart. */
function spellings(code: string): string[] {
  if (code.length < 4) return [];
  const half = code.length / 2;
  const halves = Number.isInteger(half) ? [' ', '-'].map((gap) => code.slice(0, half) + gap + code.slice(half)) : [];
  return [code, ...halves, [...code].join(' ')];
}

function replaceWord(text: string, word: string, replacement: string): string {
  const isEdge = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);
  const [first = '', ...others] = text.split(word);
  return others.reduce((result, part) => {
    const whole = isEdge(result.at(-1)) && isEdge(part[0]);
    return result + (whole ? replacement : word) + part;
  }, first);
}

/** Names of query parameters whose values differ each time. */
const TOKEN_NAME =
  /(?:^|[_.-])(?:token|code|key|sig|signature|hash|hmac|nonce|otp|ticket|jwt|state|expires|exp|ts|timestamp|t)$|(?:Token|Code|Key|Signature|Hash)$/i;

/** Returns a URL without tokens, and without the port of a server on this machine. */
export function stableUrl(url: string): string {
  const data = /^(data:[\w/+.-]*(?:;[\w=-]+)*),(.*)$/s.exec(url);
  if (data) return `${data[1]},[${data[2]?.length ?? 0} characters]`;
  const [, origin = '', path = '', query = '', fragment = ''] =
    /^([a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?)?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url) ?? [];
  const segments = path.split('/').map((segment) => (isRandom(segment) ? '[token]' : segment));
  return stableOrigin(origin) + segments.join('/') + stableParameters(query) + stableParameters(fragment);
}

function stableOrigin(origin: string): string {
  const [, scheme = '', host = '', port] = /^(https?:\/\/)(\[[^\]]*\]|[^:]*)(:\d+)?$/i.exec(origin) ?? [];
  return port !== undefined && isLoopback(host) ? `${scheme}${host}:[port]` : origin;
}

/** Returns the parameters of a query or a fragment, which begins with `?` or `#`, without tokens. */
function stableParameters(parameters: string): string {
  const pairs = parameters.slice(1).split('&');
  const stable = pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.join('=');
    if (rest.length === 0) return isRandom(name) ? '[token]' : name;
    return value !== '' && (TOKEN_NAME.test(name) || isRandom(value)) ? `${name}=[token]` : pair;
  });
  return parameters.slice(0, 1) + stable.join('&');
}

/** Returns whether a part of a URL was probably made at random: an ID, a hash or a token. */
function isRandom(part: string): boolean {
  const runs = part.match(/[a-z\d]{16,}/gi) ?? [];
  if (runs.some((run) => count(run, /\d/g) >= 2 && count(run, /[a-z]/gi) >= 2) || runs.some(isHex)) return true;
  if (part.search(UUID) >= 0) return true;
  return part.length >= 20 && count(part, /\d/g) >= 3 && /[a-z]/.test(part) && /[A-Z]/.test(part);
}

function isHex(run: string): boolean {
  return /^[\da-f]+$/i.test(run);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
