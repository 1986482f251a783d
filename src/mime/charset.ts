import { isAscii, isUtf8 } from 'node:buffer';

/** Decodes text whose charset is declared wrongly, or not at all. */

/** Read for bytes that are neither UTF-8 nor in a declared charset, as browsers do. */
const LAST_RESORT = 'windows-1252';

/** The characters of windows-1252 at 0x80 to 0x9f. TextDecoder of some versions of Node returns control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const IS_LATIN = /^(windows-?1252|cp-?1252|iso-?8859-?1|latin-?1|us-ascii|ascii)$/i;
const IS_UTF8 = /^utf-?8$/i;
/** Charsets that mailparser decodes and TextDecoder does not. */
const MORE =
  /^(utf-?(7|16|32)|ucs|(x-)?mac|(cs)?(cp|ibm)-?\d|win(dows)?-?\d|iso-?8859-?\d|latin-?\d|hz|viscii|tcvn|tis)/i;

/** Returns bytes as text: as UTF-8 if they are valid, otherwise as windows-1252. */
export function decodeUndeclared(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : decodeWindows1252(bytes);
}

/** Returns bytes as text in a charset; as UTF-8 if the charset is unknown. */
export function decodeIn(bytes: Buffer, charset: string): string {
  if (IS_LATIN.test(charset)) return decodeWindows1252(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string);
}

/** Returns whether a charset is known and has characters beyond ASCII. */
export function isUsable(charset: string): boolean {
  if (charset === '' || /^(us-)?ascii$/i.test(charset)) return false;
  if (MORE.test(charset)) return true;
  try {
    return new TextDecoder(charset).encoding !== 'replacement';
  } catch {
    return false;
  }
}

export interface TextCharset {
  charset: string;
  /** Whether neither the field nor the page declares it. */
  isGuessed: boolean;
}

/**
 * Returns the charset to read text in, if it is not the declared one; undefined if it is. Declared UTF-8 with more valid
 * than invalid sequences is UTF-8 with damage.
 * @param bytes the text without its transfer encoding
 */
export function otherCharset(bytes: Buffer, declared: string, isHtml: boolean): TextCharset | undefined {
  const isDeclaredUtf8 = IS_UTF8.test(declared);
  if ((isUsable(declared) && !isDeclaredUtf8) || isAscii(bytes)) return undefined;
  const looksLikeUtf8 = isUtf8(bytes) || isMostlyUtf8(bytes);
  if (isDeclaredUtf8 && looksLikeUtf8) return undefined;
  const meta = isHtml ? metaCharset(bytes) : '';
  if (looksLikeUtf8) return { charset: 'utf-8', isGuessed: !IS_UTF8.test(meta) };
  return isUsable(meta) && !IS_UTF8.test(meta)
    ? { charset: meta, isGuessed: false }
    : { charset: LAST_RESORT, isGuessed: true };
}

export const SNIFFED_BYTES = 1024 * 1024;

function isMostlyUtf8(bytes: Buffer): boolean {
  const other = bytes.toString('utf8', 0, SNIFFED_BYTES).match(/[^\0-\x7f]/g) ?? [];
  const invalid = other.filter((character) => character === '\ufffd').length;
  return other.length - invalid > invalid;
}

/** Bytes of a page in which browsers look for its charset, several times over. */
const META_BYTES = 8 * 1024;
const META = /<meta\s[^>]{0,300}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i;

/** Returns the charset that a page declares for itself; empty for none. */
function metaCharset(bytes: Buffer): string {
  return META.exec(bytes.subarray(0, META_BYTES).toString('latin1'))?.[1] ?? '';
}
