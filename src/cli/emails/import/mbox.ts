/** Splits a mailbox in the mbox format into messages, and keeps only one of them in memory. */

const LF = 0x0a;
const CR = 0x0d;
const SEPARATOR = Buffer.from('From ');
/** A line `From sender date` has both. A line of a text that begins with the same word does not. */
const TIME = /\d:\d\d/;
const YEAR = /\b\d{4}\b/;
/** A quoted line: `>From `, `>>From `. mboxrd adds one character, and so one is removed. */
const QUOTED = /^>+From /;
/** Bytes of a line that are read to recognize it. */
const PREFIX_BYTES = 512;

/**
 * Yields the messages of a mailbox, with CRLF line ends and unquoted `>From ` lines.
 * @param maxBytes the size above which the rest of a message is skipped, and its problem is reported
 */
export async function* readMbox(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<FoundMessage> {
  let parts: Buffer[] | undefined;
  let size = 0;
  let isAfterEmptyLine = true;
  let isInSeparator = false;
  const finish = (): FoundMessage | undefined => {
    if (!parts) return undefined;
    if (size > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
    const bytes = Buffer.concat(parts);
    // The empty line before the next separator belongs to the mailbox.
    return { bytes: bytes.subarray(0, bytes.length - (bytes.subarray(-4).equals(END) ? 2 : 0)) };
  };
  for await (const { bytes: line, isStart } of linesOf(chunks, Math.max(maxBytes, PREFIX_BYTES))) {
    if (isStart) isInSeparator = isAfterEmptyLine && isSeparator(line);
    if (isInSeparator) {
      isAfterEmptyLine = false;
      if (!isStart) continue;
      const done = finish();
      if (done) yield done;
      parts = [];
      size = 0;
      continue;
    }
    isAfterEmptyLine = isStart && line.length <= 2 && (line[0] === LF || (line[0] === CR && line[1] === LF));
    if (!parts) continue;
    const piece = allCrlf(isStart ? unquoted(line) : line);
    size += piece.length;
    if (size <= maxBytes) parts.push(piece);
    else parts.length = 0;
  }
  const last = finish();
  if (last) yield last;
}

const END = Buffer.from('\r\n\r\n');

/** Returns whether bytes begin a mailbox. */
export function isMbox(start: Uint8Array): boolean {
  const text = Buffer.from(start).toString('latin1');
  return isSeparator(Buffer.from(text.slice(0, text.indexOf('\n') + 1 || text.length), 'latin1'));
}

function isSeparator(line: Buffer): boolean {
  if (line.length < SEPARATOR.length || !line.subarray(0, SEPARATOR.length).equals(SEPARATOR)) return false;
  const text = line.subarray(0, PREFIX_BYTES).toString('latin1').trimEnd();
  return TIME.test(text) && YEAR.test(text);
}

function unquoted(line: Buffer): Buffer {
  return line[0] === 0x3e && QUOTED.test(line.subarray(0, PREFIX_BYTES).toString('latin1')) ? line.subarray(1) : line;
}

/** A line with its end, or a piece of one that is longer than any message. */
interface Line {
  bytes: Buffer;
  /** Whether the bytes are the start of the line. */
  isStart: boolean;
}

/** Yields lines with their ends. A line of more than `maxBytes` arrives in pieces. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let pending: Buffer[] = [];
  let held = 0;
  let isStart = true;
  const taken = (last: Buffer): Line => {
    const line = { bytes: pending.length === 0 ? last : Buffer.concat([...pending, last]), isStart };
    pending = [];
    held = 0;
    isStart = last.at(-1) === LF;
    return line;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      yield taken(bytes.subarray(start, end + 1));
      start = end + 1;
    }
    if (start === bytes.length) continue;
    const rest = bytes.subarray(start);
    if (held + rest.length > maxBytes) yield taken(rest);
    else {
      pending.push(rest);
      held += rest.length;
    }
  }
  if (pending.length > 0) yield taken(Buffer.alloc(0));
}

/** A message, or why it cannot be imported. */
export type FoundMessage = { bytes: Buffer } | { problem: string };

/** Returns a message with CRLF line ends. */
export function allCrlf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
