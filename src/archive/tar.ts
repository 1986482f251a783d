import { UnusableStateError } from '../core/store.js';
import { ByteReader } from './byte-reader.js';

/** Tar archives, as POSIX.1-1988 (ustar) has them: enough to write two members that every tar reads, and to read them again. */

const BLOCK_BYTES = 512;
/** From here on a size does not fit its eleven octal digits, and is written in binary, as GNU tar and bsdtar do. */
const OCTAL_SIZE_END = 8 ** 11;

export interface TarMember {
  name: string;
  /** In bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** Makes an archive of members that are read one after the other. `mtime` is in seconds. */
export async function* writeTar(members: Iterable<TarMember>, mtime: number): AsyncGenerator<Uint8Array> {
  for (const { name, size, content } of members) {
    yield headerOf(name, size, mtime);
    yield* content;
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/**
 * Yields the files in an archive; each one's content is to be read before the next is asked for. Reads to the end.
 * @throws UnusableStateError when it is not a tar, or ends too early.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const reader = new ByteReader(bytes);
  for (;;) {
    const header = await reader.exactly(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) break;
    const { name, size, isFile } = readHeader(header);
    const content = reader.upTo(size);
    if (isFile) yield { name, size, content };
    for await (const _ of content);
    await reader.exactly(paddingOf(size));
  }
  await reader.toEnd();
}

function headerOf(name: string, size: number, mtime: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, offset: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, '0'), offset, 'latin1');
  header.write(name, 0, 'latin1');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  if (size < OCTAL_SIZE_END) octal(size, 124, 11);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(mtime, 136, 11);
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(checksumOf(header), 148, 6);
  header.write('\0 ', 154, 'latin1');
  return header;
}

function readHeader(header: Buffer): { name: string; size: number; isFile: boolean } {
  const text = (start: number, end: number) => header.toString('latin1', start, end).replace(/\0.*$/s, '').trim();
  if (Number.parseInt(text(148, 156), 8) !== checksumOf(header)) {
    throw new UnusableStateError('This is not an archive of svc: it is no tar inside.');
  }
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8);
  const type = text(156, 157);
  // Whoever packs it again may write directories and other remarks in between.
  return { name: text(0, 100).replace(/^\.\//, ''), size, isFile: type === '0' || type === '' };
}

/** The sum of the bytes, those of the sum itself taken for spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}
