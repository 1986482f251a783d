import { ADDRESS_CHARACTERS, DISPLAY_NAME_CHARACTERS } from '../limits.js';
/** A parsed email address. `address` keeps its upper and lower case. */
export interface Address {
  name: string;
  address: string;
}

// A local part is a dot-atom (with any non-ASCII letter, as RFC 6531 allows) or a quoted string. A host consists of labels.
const ATOM = String.raw`[^\s<>()[\]\\,;:@"\u0000-\u001f\u007f-\u009f.]+`;

const LOCAL = String.raw`(?:${ATOM}(?:\.${ATOM})*|"(?:[^"\\\u0000-\u001f\u007f]|\\[^\u0000-\u001f\u007f])+")`;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?`;

const ADDR_SPEC = new RegExp(String.raw`^${LOCAL}@${LABEL}(?:\.${LABEL})*$`, 'u');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

const QUOTED = /^"((?:[^"\\]|\\.)*)"$/su;

const NAME_SPECIALS = /[<>@,;:"\\[\]]/u;

/**
 * Parses `user@host` or `Name <user@host>`. A string contains exactly one address (gap 36). Returns the problem if
 * it is invalid.
 */
export function readAddress(input: string): Address | { problem: string } {
  if (CONTROL.test(input)) return { problem: 'must not contain a line break or another control character' };
  const text = input.trim();
  const bracket = bracketOf(text);
  const address = bracket === -1 ? text : text.slice(bracket + 1, -1).trim();
  if (address.length > ADDRESS_CHARACTERS) return { problem: `must be at most ${ADDRESS_CHARACTERS} characters` };
  if (!ADDR_SPEC.test(address)) return { problem: 'must be one address, as user@host or Name <user@host>' };
  if (bracket === -1) return { name: '', address };
  const phrase = text.slice(0, bracket).trim();
  if (phrase.length > DISPLAY_NAME_CHARACTERS) {
    return { problem: `must have a name of at most ${DISPLAY_NAME_CHARACTERS} characters` };
  }
  const quoted = QUOTED.exec(phrase);
  if (quoted) return { name: (quoted[1] ?? '').replace(/\\(.)/gsu, '$1'), address };
  if (NAME_SPECIALS.test(phrase)) return { problem: 'must quote a name that contains any of < > @ , ; : " \\ [ ]' };
  return { name: phrase, address };
}

/** Returns the position of the `<` in a final `<user@host>`; -1 if the text has none. */
function bracketOf(text: string): number {
  const last = text.length - 1;
  if (text[last] !== '>' || text.lastIndexOf('>', last - 1) > text.lastIndexOf('<')) return -1;
  return text.lastIndexOf('<');
}

/** Parses an address that is known to be valid. */
export function parseAddress(input: string): Address {
  const read = readAddress(input);
  if ('problem' in read) throw new TypeError(`not a validated address: ${read.problem}`);
  return read;
}

/** Returns the form in which two spellings of one mailbox are equal. Filters, suppressions and rules compare this form. */
export function normalizeAddress(address: string): string {
  return address.toLowerCase();
}

/** Returns the part after the last `@`, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
