import { readFields } from '../header.js';

/** Reads the header of a message as text: with the encoded words of RFC 2047 decoded. */

/** Characters of a value that are read. */
const VALUE_MAX = 20_000;

/**
 * Returns the fields of a message's header in their order, unfolded and decoded.
 * @param message the bytes of a message, of which only the header is read
 */
export function readHeaders(message: Uint8Array): [name: string, value: string][] {
  return readFields(message, VALUE_MAX).map(({ name, value }) => [name, decodeWords(value.slice(0, VALUE_MAX)).trim()]);
}

const ENCODED_WORD = /=\?([\w!#$%&'+^`{}~-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;

/** Decodes the encoded words of a value. Whitespace between two of them is dropped (RFC 2047, section 6.2). */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value;
  const parts: { charset: string; bytes: Buffer }[] = [];
  let text = '';
  let end = 0;
  const flush = () => {
    // Adjacent words are joined before they are decoded: some programs split a character between two.
    for (let at = 0; at < parts.length; ) {
      const { charset } = parts[at] as { charset: string };
      let next = at;
      while (parts[next]?.charset === charset) next += 1;
      text += inCharset(Buffer.concat(parts.slice(at, next).map(({ bytes }) => bytes)), charset);
      at = next;
    }
    parts.length = 0;
  };
  for (const { index, 0: word, 1: charset = '', 2: encoding = '', 3: encoded = '' } of value.matchAll(ENCODED_WORD)) {
    const between = value.slice(end, index);
    if (parts.length === 0 || between.trim() !== '') {
      flush();
      text += between;
    }
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quotedBytes(encoded);
    parts.push({ charset: charset.toLowerCase(), bytes });
    end = index + word.length;
  }
  flush();
  return text + value.slice(end);
}

function quotedBytes(text: string): Buffer {
  const characters = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(characters, 'latin1');
}

function inCharset(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
