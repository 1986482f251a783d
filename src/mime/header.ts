import { HEADER_BYTES_MAX, HEADER_FIELDS_MAX } from './limits.js';

/** Reads the header of a message: RFC 5322, section 2.2. */

export interface HeaderField {
  name: string;
  /** Unfolded, as in the message otherwise. */
  value: string;
}

const NAME = /^[!-9;-~]{1,200}$/;

/**
 * Returns the fields of a message's header in their order.
 * @param message the bytes of a message, of which only the header is read
 * @param valueMax characters of a folded value that are read, rounded up to a whole line
 */
export function readFields(message: Uint8Array, valueMax = Number.POSITIVE_INFINITY): HeaderField[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, Math.min(message.byteLength, HEADER_BYTES_MAX));
  const fields: HeaderField[] = [];
  let field: HeaderField | undefined;
  for (const line of linesOf(decodedBytes(bytes))) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) {
      if (field && field.value.length < valueMax) field.value += line;
      continue;
    }
    if (fields.length === HEADER_FIELDS_MAX) break;
    field = fieldOf(line);
    if (field) fields.push(field);
  }
  return fields;
}

function fieldOf(line: string): HeaderField | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  return NAME.test(name) ? { name, value: line.slice(colon + 1) } : undefined;
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    yield text.slice(start, text[stop - 1] === '\r' && stop > start ? stop - 1 : stop);
    start = stop + 1;
  }
}

/** Returns a header as text: UTF-8 (RFC 6532), or Latin-1 if it is not. */
function decodedBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
