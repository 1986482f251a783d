import { LibraryStream } from './library.js';

const DOT = 0x2e;
const CR = 0x0d;
const LF = 0x0a;
const LINE_START_DOT = Buffer.from('\r\n.');

/**
 * The bytes of a connection that are read in one turn of the event loop. Node reads up to 2 MiB of each socket at
 * once, which with 16 senders would delay other clients.
 */
const READ_PER_TURN = 256 * 1024;

type Done = (error?: Error | null) => void;

/** The content in a chunk, and the rest. */
interface Scanned {
  content: Buffer[];
  /** Bytes that may be the beginning of a line end and a dot: checked with the next chunk. */
  rest: Buffer;
  /** Bytes after the message, when its end was found. */
  after?: Buffer;
}

/**
 * Reads the content of messages as RFC 5321 section 4.5.2 defines it: the first dot of a line is removed, and only CRLF ends a
 * line. The library also removes a dot after a bare LF, which changes messages that contain such lines.
 */
export class DataStream extends LibraryStream {
  #readThisTurn = 0;
  #hasBegun = false;
  /** Called instead of reading when the first bytes are those of a TLS handshake. */
  onTls: (() => void) | undefined;

  protected override readBytes(chunk: Buffer, encoding: BufferEncoding | 'buffer', next: Done): void {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (isFirst && this.onTls && beginsTls(chunk)) {
      this.onTls();
      next();
    } else {
      super.readBytes(chunk, encoding, next);
    }
  }

  protected override readContent(chunk: Buffer, next: Done): void {
    this.#readThisTurn += chunk.length;
    const done = this.#readThisTurn < READ_PER_TURN ? next : this.#nextTurn(next);
    const { content, rest, after } = scan(this.withKept(chunk), this.isAtStart);
    const stream = this.contentStream;
    if (!stream) {
      done();
      return;
    }
    const message = content.length === 1 ? (content[0] as Buffer) : Buffer.concat(content);
    this.countContent(message.length);
    if (after) {
      this.endContent(message, after, done);
      return;
    }
    if (rest.length > 0) this.keepForNext(rest);
    if (message.length === 0 || !stream.writable || stream.write(message) || stream.destroyed) {
      done();
      return;
    }
    const go = () => {
      stream.removeListener('drain', go);
      stream.removeListener('close', go);
      done();
    };
    stream.once('drain', go);
    stream.once('close', go);
  }

  #nextTurn(done: Done): Done {
    return (error) =>
      setImmediate(() => {
        this.#readThisTurn = 0;
        done(error);
      });
  }
}

/** Returns whether bytes begin a TLS handshake: its record type, and the major version of every TLS. */
function beginsTls(bytes: Buffer): boolean {
  return bytes[0] === 0x16 && bytes[1] === 0x03;
}

function scan(bytes: Buffer, atStart: boolean): Scanned {
  const content: Buffer[] = [];
  let from = 0;
  let dot = atStart && bytes[0] === DOT ? 0 : nextDot(bytes, 0);
  while (dot >= 0) {
    const [next, last] = [bytes[dot + 1], bytes[dot + 2]];
    if (next === undefined || (next === CR && last === undefined)) {
      // With the line end before it: it is searched again.
      const restFrom = Math.max(from, dot - 2);
      return { content: [...content, bytes.subarray(from, restFrom)], rest: bytes.subarray(restFrom) };
    }
    if (next === CR && last === LF) {
      return { content: [...content, bytes.subarray(from, dot)], rest: EMPTY, after: bytes.subarray(dot + 3) };
    }
    content.push(bytes.subarray(from, dot));
    from = dot + 1;
    dot = nextDot(bytes, dot + 1);
  }
  const restFrom = Math.max(from, bytes.length - lineEndAtEnd(bytes));
  return { content: [...content, bytes.subarray(from, restFrom)], rest: bytes.subarray(restFrom) };
}

const EMPTY = Buffer.alloc(0);

/** Returns the position of the next dot that begins a line. */
function nextDot(bytes: Buffer, from: number): number {
  const lineEnd = bytes.indexOf(LINE_START_DOT, from);
  return lineEnd < 0 ? -1 : lineEnd + 2;
}

/** Returns the number of bytes of a CRLF at the end. */
function lineEndAtEnd(bytes: Buffer): number {
  const last = bytes[bytes.length - 1];
  if (last === CR) return 1;
  return last === LF && bytes[bytes.length - 2] === CR ? 2 : 0;
}
