/** Converts and checks domain names: the rules of DNS (RFC 1123 section 2.1), and of international names (RFC 5890). */

/** The form of one label, in upper or lower case. */
const LABEL_PATTERN = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const LABEL = new RegExp(`^${LABEL_PATTERN}$`);
const OUTER = String.raw`[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x9f]`;
const INNER = String.raw`[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x60\x7b-\x9f]`;
/** A label of letters, digits, inner hyphens and any characters beyond ASCII, for the API description. */
export const UNICODE_LABEL_PATTERN = `${OUTER}(?:${INNER}{0,61}${OUTER})?`;
/** The same with underscores, as hosts of containers have. */
export const HOST_LABEL_PATTERN = UNICODE_LABEL_PATTERN.replaceAll(String.raw`\x5b-\x60`, String.raw`\x5b-\x5e\x60`);
/** A last label that does not start with a digit, unlike the last part of an IP address. */
export const LAST_LABEL_PATTERN = startingWithoutDigit(UNICODE_LABEL_PATTERN);
export const LAST_HOST_LABEL_PATTERN = startingWithoutDigit(HOST_LABEL_PATTERN);

function startingWithoutDigit(label: string): string {
  return label.replace(String.raw`\x00-\x2f\x3a-\x40`, String.raw`\x00-\x40`);
}

/** RFC 1035 section 2.3.4. */
const DOMAIN_CHARACTERS = 253;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the first and the last character of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Returns the ASCII form of a name as the URL standard defines it (UTS 46); undefined if it has none. */
export function asciiForm(name: string): string | undefined {
  const url = `http://${name}/`;
  if (/[\s/?#@:%[\]\\]/.test(name) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname;
}

/** Returns whether a lower-case ASCII name consists of valid labels. */
export function hasValidLabels(name: string): boolean {
  return name.split('.').every((label) => LABEL.test(label));
}

/**
 * Returns whether the xn-- labels of a lower-case ASCII name are valid. Node.js 24 and later check them only in names
 * that also have a non-ASCII label.
 */
export function hasValidXnLabels(name: string): boolean {
  return !name.includes('xn--') || (asciiForm(name) === name && asciiForm(`ä.${name}`) !== undefined);
}

/** Returns whether the last label of a name is a number, as in an IP address. */
export function endsWithNumber(name: string): boolean {
  return /(?:^|\.)\d+$/.test(name);
}

/**
 * Returns the lower-case ASCII form of an email domain; undefined if it is invalid. Rejects characters that are only
 * another width or style of a letter, because servers convert them differently.
 */
export function emailDomain(domain: string): string | undefined {
  const lower = domain.toLowerCase();
  const ascii = isAscii(domain) ? lower : asciiForm(lower);
  if (ascii === undefined || ascii.length > DOMAIN_CHARACTERS) return undefined;
  if (ascii !== lower && lower.normalize('NFKC') !== lower.normalize('NFC')) return undefined;
  return hasValidLabels(ascii) && hasValidXnLabels(ascii) && !endsWithNumber(ascii) ? ascii : undefined;
}

/** Returns whether a host is `localhost` or a loopback address, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d+){3}$/.test(host);
}

/** Returns whether a server with this address listens on all addresses. */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/**
 * Returns the address of SMTP for the clients of a server for a team. A server that listens on all addresses reports one
 * of this machine only, so the host is that of its external URL. `host` is the address that it listens on.
 */
export function smtpOfTeam<Address extends { host: string }>(
  own: Address,
  host: string,
  externalUrl: string | undefined,
): Address {
  if (externalUrl === undefined || !isUnspecified(host)) return own;
  return { ...own, host: new URL(externalUrl).hostname.replace(/^\[|\]$/g, '') };
}
