import { extract, type Header, pack } from 'tar-stream';
import { StateTooLargeError, UnusableStateError } from '../core/store.js';

/** Reads and writes tar archives. Reading enforces limits, because anyone can write an archive. */

export interface TarMember {
  name: string;
  /** In bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** A member of an archive that is read. */
export interface FoundMember extends TarMember {
  /** Whether it is a regular file: not a directory, link or device. */
  isFile: boolean;
}

const BLOCK_BYTES = 512;

/** Limits headers, padding and unread members together, so that an archive cannot consist of them without end. */
const OVERHEAD_BYTES_MAX = 1024 * 1024;

/** Writes members one after the other. */
export async function* writeTar(members: Iterable<TarMember>, mtime: Date): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const write = ({ name, size, content }: TarMember) =>
    new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ name, size, mtime, mode: 0o600 }, (error) => (error ? reject(error) : resolve()));
      // The archive's own stream reports the error to its reader, if there still is one.
      entry.on('error', reject);
      feed(content, entry).catch(reject);
    });
  const writeAll = async () => {
    for (const member of members) await write(member);
    tar.finalize();
  };
  writeAll().catch((error: Error) => tar.destroy(error));
  try {
    yield* tar as AsyncIterable<Uint8Array>;
  } finally {
    tar.destroy();
  }
}

/**
 * Yields the members of an archive, and reads `bytes` to the end. Read each member's content before asking for the next
 * one; content that is not read is skipped. The archive must end with the member named `last`.
 * @throws UnusableStateError when `bytes` is not a tar archive, is cut off, continues after its end, or states a size that is
 * not a whole number.
 * @throws StateTooLargeError when the members are larger than `maxBytes` together.
 */
export async function* readTar(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  last: string,
): AsyncGenerator<FoundMember> {
  const tar = extract();
  const counter = new ByteCounter();
  let left = maxBytes;
  let sourceFailed = false;
  let end = Infinity;
  async function* contentOf(entry: AsyncIterable<Uint8Array>) {
    try {
      yield* counter.content(entry);
    } catch (error) {
      throw explained(error as Error);
    }
  }
  const explained = (error: Error) =>
    sourceFailed || error instanceof UnusableStateError ? error : unreadable(error, counter.read > end);
  feed(counter.source(bytes), tar).catch((error: Error) => {
    sourceFailed = true;
    tar.destroy(error);
  });
  try {
    for await (const entry of tar) {
      const size = sizeOf(entry.header, left, maxBytes);
      left -= size;
      const { type, byteOffset = Infinity } = entry.header as Header & { byteOffset?: number };
      const name = entry.header.name.replace(/^\.\//, '');
      if (name === last) end = byteOffset + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
      yield { name, size, isFile: type === 'file', content: contentOf(entry as AsyncIterable<Uint8Array>) };
      for await (const _ of entry);
    }
  } catch (error) {
    throw explained(error as Error);
  } finally {
    tar.destroy();
  }
}

/** Counts the bytes of an archive, and limits those that are not content of its members. */
class ByteCounter {
  read = 0;
  #overhead = 0;

  /** Yields the bytes of the archive. */
  async *source(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.read += piece.length;
      this.#overhead += piece.length;
      if (this.#overhead > OVERHEAD_BYTES_MAX) {
        throw new UnusableStateError('The archive is invalid: it contains more than the two files of an export.');
      }
      yield piece;
    }
  }

  /** Yields the content of a member. */
  async *content(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of entry) {
      this.#overhead -= piece.length;
      yield piece;
    }
  }
}

/** The common part of the library's streams and those of Node.js. */
interface Sink {
  readonly destroyed: boolean;
  write(piece: Uint8Array): boolean;
  end(last: undefined): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Writes everything to a stream and ends it; stops when the stream is destroyed. */
async function feed(bytes: AsyncIterable<Uint8Array>, stream: Sink): Promise<void> {
  for await (const piece of bytes) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await drained(stream);
  }
  stream.end(undefined);
}

function drained(stream: Sink): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

/** Returns the size of a member. The library passes on sizes that a number cannot represent exactly. */
function sizeOf({ size }: Header, left: number, maxBytes: number): number {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new UnusableStateError('The archive is invalid: a file size in it is not a valid number.');
  }
  if (size > left) throw new StateTooLargeError(size + maxBytes - left, maxBytes);
  return size;
}

function unreadable({ message }: Error, continues: boolean): UnusableStateError {
  if (continues) return new UnusableStateError('The archive is invalid: it has data after its end.');
  if (message === 'Unexpected end of data') return new UnusableStateError('The archive is truncated.');
  return new UnusableStateError('This is not an svc archive: its content is not a valid tar archive.');
}
