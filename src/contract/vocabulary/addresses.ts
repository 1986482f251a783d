import { asciiForm, emailDomain, HOST_LABEL_PATTERN, isAscii, UNICODE_LABEL_PATTERN } from './domains.js';
import { once } from './lazy.js';
import { ADDRESS_BYTES, DISPLAY_NAME_CHARACTERS, LOCAL_PART_BYTES } from './limits.js';
import { utf8Length } from './text.js';

/** Parses email addresses (gap 36): those of requests, and those of SMTP, which accepts more forms of a domain. */

/** A parsed email address. `address` keeps its upper and lower case. */
export interface Address {
  name: string;
  address: string;
}

// Control characters, and characters without a shape, such as a zero-width space or a change of direction.
const HIDDEN = String.raw`\p{Cc}\p{Cf}\u2028\u2029`;
// A local part is a dot-atom (with any non-ASCII letter, as RFC 6531 allows) or a quoted string. A domain consists of labels.
const ATOM = String.raw`[^\s${HIDDEN}<>()[\]\\,;:@".]+`;
const LOCAL = String.raw`(?:${ATOM}(?:\.${ATOM})*|"(?:[^"\\${HIDDEN}]|\\[^${HIDDEN}])+")`;
// Hosts of containers may have an underscore anywhere.
const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?`;
const LITERAL = String.raw`\[[^\s${HIDDEN}<>@\\[\]]+\]`;
const SPECIALS = String.raw`<>@,;:"\\[\]`;
const QUOTED = String.raw`"(?<quoted>(?:[^"\\${HIDDEN}]|\\[^${HIDDEN}])*)"\p{Zs}*`;
const PHRASE = String.raw`(?<phrase>[^\s${HIDDEN}${SPECIALS}][^${HIDDEN}${SPECIALS}]*)`;

const NAME = `(?:${QUOTED}|${PHRASE})?`;
const ADDRESS = String.raw`${LOCAL}@(?:${LABEL}(?:\.${LABEL})*|${LITERAL})`;
const FORM = `^(?:${NAME}<(?<inner>${ADDRESS})>|${ADDRESS})$`;

/** The form of an address for the API description, without the rules that a pattern cannot hold. */
export const ADDRESS_PATTERN = describedForm(String.raw`${UNICODE_LABEL_PATTERN}(?:\.${UNICODE_LABEL_PATTERN})+`);
/** The same for an address as SMTP accepts it. */
export const ANY_ADDRESS_PATTERN = describedForm(
  String.raw`(?:${HOST_LABEL_PATTERN}(?:\.${HOST_LABEL_PATTERN})*|${LITERAL})`,
);
/** What the form allows but a parser refuses: a domain that ends with a number, and a local part that is too long. */
export const NOT_ADDRESS_PATTERN = String.raw`[.@][0-9]+>?$|[^\s<>"@]{${LOCAL_PART_BYTES + 1}}@|"(?:[^"\\]|\\.){${LOCAL_PART_BYTES - 1},}"@`;

function describedForm(domain: string): string {
  return `^(?:${NAME}<${LOCAL}@${domain}>|${LOCAL}@${domain})$`.replace(/\?<\w+>/g, '?:');
}

/** The form of most addresses. One of at most `LOCAL_PART_BYTES` characters needs no other check. */
const USUAL = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+$/i;

// Reading the properties of all Unicode characters takes 4 ms of a start.
const anyAddress = once(() => new RegExp(FORM, 'u'));
const hidden = new RegExp(`[${HIDDEN}]`, 'u');

/**
 * Parses `user@host` or `Name <user@host>`. A string contains exactly one address (gap 36). Returns the problem if it is
 * invalid, also for a domain of one label.
 */
export function readAddress(input: string): Address | { problem: string } {
  const read = readAnyAddress(input);
  if ('problem' in read) return read;
  const domain = domainOf(read.address);
  if (/[[_]/.test(domain)) return { problem: FORM_PROBLEM };
  if (domain.includes('.')) return read;
  return { problem: 'must have a domain with at least two labels, such as user@example.com' };
}

/**
 * Parses an address as `readAddress` does, and accepts what SMTP does: a domain of one label or with an underscore, and
 * an address literal, such as user@[127.0.0.1].
 */
export function readAnyAddress(input: string): Address | { problem: string } {
  if (input.length <= LOCAL_PART_BYTES && USUAL.test(input)) return { name: '', address: input };
  const found = anyAddress().exec(input);
  if (!found) return { problem: formProblem(input) };
  const { quoted, phrase = '', inner: address = input } = found.groups ?? {};
  const problem = domainProblem(address);
  if (problem !== undefined) return { problem };
  const name = quoted === undefined ? phrase.trim() : quoted.replace(/\\(.)/gsu, '$1');
  if (name.length <= DISPLAY_NAME_CHARACTERS) return { name, address };
  return { problem: `must have a name of at most ${DISPLAY_NAME_CHARACTERS} characters` };
}

/** The problem of a text without the form of an address. */
export const FORM_PROBLEM = 'must be one address, in the form user@host or Name <user@host>';

function formProblem(input: string): string {
  if (hidden.test(input)) return 'must not contain a line break or another control or invisible character';
  if (input !== input.trim()) return 'must not start or end with white space';
  // A name with special characters is the only other fault of an address in brackets at the end.
  const bracket = input.endsWith('>') ? input.indexOf('<') : -1;
  if (bracket > 0 && anyAddress().test(input.slice(bracket))) {
    return 'must quote a name that contains any of < > @ , ; : " \\ [ ]';
  }
  return FORM_PROBLEM;
}

/** Checks what depends on bytes, and on the ASCII form of the domain. */
function domainProblem(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const localBytes = utf8Length(address.slice(0, at));
  if (localBytes > LOCAL_PART_BYTES) return `must have at most ${LOCAL_PART_BYTES} bytes before the @`;
  const given = address.slice(at + 1);
  const domain = given.startsWith('[') ? given : emailDomain(given.replaceAll('_', 'a'));
  if (domain === undefined) return 'must have a valid domain, such as example.com';
  const bytes = localBytes + 1 + Math.max(domain.length, utf8Length(given));
  return bytes > ADDRESS_BYTES ? `must be at most ${ADDRESS_BYTES} bytes` : undefined;
}

/** Parses an address that is known to be valid. */
export function parseAddress(input: string): Address {
  const read = readAnyAddress(input);
  if ('problem' in read) throw new TypeError(`not a validated address: ${read.problem}`);
  return read;
}

/** Parses an address that was accepted, perhaps by an earlier version that refused less. */
export function storedAddress(input: string): Address {
  const text = input.trim();
  const read = readAnyAddress(text);
  if (!('problem' in read)) return read;
  const bracket = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  if (bracket === -1) return { name: '', address: text };
  const name = text.slice(0, bracket).trim().replace(/^"|"$/g, '');
  return { name, address: text.slice(bracket + 1, -1).trim() };
}

/** Returns a mailbox as `Name <address>`, the name quoted where it has to be. */
export function shownMailbox({ name: given, address }: { name: string; address?: string | undefined }): string {
  const name = given.trim();
  if (!name || !address) return address || name || '';
  const phrase = /[<>@,;:"\\[\]().]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address}>`;
}

/**
 * Returns the form in which two spellings of one mailbox are equal: lower case, NFC, and the domain in its ASCII form.
 * Filters, suppressions and rules compare this form.
 */
export function normalizeAddress(address: string): string {
  const lower = address.toLowerCase();
  if (isAscii(lower)) return lower;
  const composed = lower.normalize('NFC');
  const domain = composed.slice(composed.lastIndexOf('@') + 1);
  return composed.slice(0, composed.length - domain.length) + (asciiForm(domain) ?? domain);
}

/** Returns the part after the last `@`, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

const WHOLE_ADDRESS = /^[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+$/;

/** Returns whether a condition of a query compares whole mailboxes, as `from:ada@example.test` does. */
export function isWholeAddress(text: string): boolean {
  return WHOLE_ADDRESS.test(text);
}
