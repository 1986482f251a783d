import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ARCHIVE_FORMAT_VERSION, StateManifest } from '../contract/control/state.js';
import { shortened } from '../contract/vocabulary/text.js';
import type { StateArchive } from '../core/ports.js';
import { type Snapshot, UnusableStateError } from '../core/store.js';
import { type FoundMember, readTar, writeTar } from './tar.js';

/** Reads and writes a whole state as one file: a gzipped tar of `manifest.json`, then `mail.db`, an SQLite database. */

const MANIFEST = 'manifest.json';
const DATABASE = 'mail.db';
/** Far more than a manifest has. */
const MANIFEST_BYTES_MAX = 64 * 1024;
/** RFC 1952 section 2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const CONTINUES = 'The archive is invalid: it has data after its end.';

export function packState(
  manifest: StateManifest,
  { size, read }: Pick<Snapshot, 'size' | 'read'>,
): AsyncIterable<Uint8Array> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const members = [
    { name: MANIFEST, size: text.length, content: Readable.from([text]) },
    { name: DATABASE, size, content: { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() } },
  ];
  return through(writeTar(members, new Date(manifest.exported_at)), createGzip());
}

export async function unpackState(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): ReturnType<StateArchive['unpack']> {
  const members = readTar(unzip(bytes), maxBytes, DATABASE);
  try {
    const { value: first } = await members.next();
    if (first?.name !== MANIFEST) {
      throw new UnusableStateError(`This is not an svc archive: it does not begin with ${MANIFEST}.`);
    }
    refuseOther(first);
    if (first.size > MANIFEST_BYTES_MAX) throw new UnusableStateError(`The archive's ${MANIFEST} is too large.`);
    return { manifest: await readManifest(first), database: databaseIn(members) };
  } catch (error) {
    await members.return(undefined);
    throw error;
  }
}

async function readManifest({ content }: FoundMember): Promise<StateManifest> {
  const bytes = await buffer(content);
  let found: unknown;
  try {
    found = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UnusableStateError(`This is not an svc archive: its ${MANIFEST} is not JSON.`);
  }
  const { format, format_version } = (found ?? {}) as { format?: unknown; format_version?: unknown };
  if (format !== 'svc-state') throw new UnusableStateError('This is not an svc archive.');
  // Checked first, because a newer one may differ in everything else.
  if (typeof format_version === 'number' && format_version > ARCHIVE_FORMAT_VERSION) {
    throw new UnusableStateError(
      `The archive was written by a newer svc (format ${format_version}; this version supports ${ARCHIVE_FORMAT_VERSION}). Update svc.`,
    );
  }
  const manifest = StateManifest.safeParse(found);
  if (!manifest.success) throw new UnusableStateError(`The archive's ${MANIFEST} is damaged.`);
  return manifest.data;
}

async function* databaseIn(members: AsyncIterable<FoundMember>): AsyncGenerator<Uint8Array> {
  let found = false;
  for await (const member of members) {
    const { name, content } = member;
    refuseOther(member);
    if (name === MANIFEST || (name === DATABASE && found)) {
      throw new UnusableStateError(`The archive is invalid: it contains ${name} twice.`);
    }
    found = true;
    yield* content;
  }
  if (!found) throw new UnusableStateError(`The archive has no ${DATABASE}.`);
}

/** Refuses other members: an export has none, so that the contents of an archive are known in full. */
function refuseOther({ name, isFile }: FoundMember): void {
  if (name !== MANIFEST && name !== DATABASE) {
    throw new UnusableStateError(`The archive holds ${shortened(name)}, which is not part of an export.`);
  }
  if (!isFile) throw new UnusableStateError(`The archive is invalid: ${name} is not a regular file.`);
}

/** Unpacks gzip. Damage is found anywhere: every block and the whole have a checksum. RFC 1952. */
async function* unzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  let received = 0;
  let head = Buffer.alloc(0);
  async function* counted() {
    for await (const piece of bytes) {
      received += piece.length;
      if (head.length < GZIP_MAGIC.length) head = Buffer.concat([head, piece]).subarray(0, GZIP_MAGIC.length);
      yield piece;
    }
  }
  try {
    yield* through(counted(), gunzip);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') throw error;
    if (received === 0) throw new UnusableStateError('The archive is empty.');
    if (!head.equals(GZIP_MAGIC)) {
      throw new UnusableStateError('This is not an svc archive: it is not compressed with gzip.');
    }
    if (code === 'Z_BUF_ERROR') throw new UnusableStateError('The archive is truncated.');
    // After a complete gzip file, the next bytes are read as the header of another one.
    throw new UnusableStateError(
      message === 'incorrect header check' ? CONTINUES : `The archive is damaged: ${message}.`,
    );
  }
  // Zeros after a complete gzip file are left unread.
  if (received > gunzip.bytesWritten) throw new UnusableStateError(CONTINUES);
}

async function* through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: true });
  // Reported by the transform too, whose reader throws it.
  const piped = pipeline(source, transform).catch(() => {});
  try {
    yield* transform as AsyncIterable<Uint8Array>;
  } finally {
    source.destroy();
    transform.destroy();
    await piped;
  }
}
