import type { HeaderField } from '../../core/model/search.js';
import { readFields } from '../header.js';

/** Reads the header of a message as text: with the encoded words of RFC 2047 decoded. */

/** Characters of a value that are read. */
const VALUE_MAX = 20_000;

/** Fields whose values are addresses. */
const ADDRESSES = /^(?:resent-)?(?:from|sender|reply-to|to|cc|bcc)$/i;

/**
 * Returns the fields of a message's header in their order, unfolded and decoded, and as they are where that differs.
 * @param message the bytes of a message, of which only the header is read
 */
export function readHeaders(message: Uint8Array): HeaderField[] {
  return readFields(message, VALUE_MAX).map(({ name, value }) => {
    const raw = value.slice(0, VALUE_MAX).trim();
    const decoded = (ADDRESSES.test(name) ? decodeAddresses(raw) : decodeWords(raw)).trim();
    return decoded === raw ? [name, raw] : [name, decoded, raw];
  });
}

const SPECIALS = /[()<>[\]:;@\\,."]/;

/** Decodes a list of addresses. Decoded names with special characters are quoted, so that it remains the same list. */
function decodeAddresses(value: string): string {
  if (!value.includes('=?')) return value;
  return value.replace(PHRASE, (phrase) => {
    if (!phrase.includes('=?')) return phrase;
    // Encoded words do not belong into a quoted text, but programs write and decode them there.
    const isQuoted = phrase.startsWith('"');
    const decoded = decodeWords(isQuoted ? phrase.slice(1, -1) : phrase);
    return isQuoted || SPECIALS.test(decoded) ? `"${decoded.replace(/["\\]/g, '\\$&')}"` : decoded;
  });
}

const ENCODED_WORD = /=\?([\w!#$%&'+^`{}~-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;

/** A quoted text, or encoded words in a row. */
const PHRASE = new RegExp(`"[^"]*"|${ENCODED_WORD.source}(?:\\s{1,100}${ENCODED_WORD.source})*`, 'gi');

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
