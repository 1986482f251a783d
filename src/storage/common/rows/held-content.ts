import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Columns } from './columns.js';

/** Contents of rows: in chunks, or in the row itself, compressed where that is shorter. Decision 005. */

/** Where a row has a content. */
export interface HeldContent {
  /** The key of its chunks; null if the row itself has it. */
  key: string | null;
  /** Its number of bytes. */
  size: number;
  /** Its bytes in the row, which are compressed if they are fewer than `size`. Empty with a key. */
  bytes: Buffer;
}

/** The largest content that is compressed, which takes half a millisecond. Larger ones are mostly images. */
const COMPRESSED_MAX = 64 * 1024;

/** As small as with the highest level for messages, in half of the time. */
const LEVEL = 3;

/** Reads where a row has a content. The default columns are those of a message. */
export function readHeld(row: Columns, names = { key: 'content_key', size: 'size', bytes: 'bytes' }): HeldContent {
  return { key: row.textOrNull(names.key), size: row.integer(names.size, 0), bytes: row.bytes(names.bytes) };
}

/** Returns the bytes of a content as a row has them. */
export function compress(content: Uint8Array): Uint8Array {
  if (content.byteLength > COMPRESSED_MAX) return content;
  const compressed = deflateRawSync(content, { level: LEVEL });
  return compressed.byteLength < content.byteLength ? compressed : content;
}

/** Returns the content of a row's bytes; undefined if they are damaged. */
export function decompress({ bytes, size }: Pick<HeldContent, 'bytes' | 'size'>): Buffer | undefined {
  if (bytes.byteLength === size) return bytes;
  if (size === 0 || size > COMPRESSED_MAX) return undefined;
  try {
    const content = inflateRawSync(bytes, { maxOutputLength: size });
    return content.byteLength === size ? content : undefined;
  } catch {
    return undefined;
  }
}
