import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ARCHIVE_FORMAT_VERSION, StateManifest } from '../contract/state-control.js';
import type { StateArchive } from '../core/ports.js';
import { type Snapshot, UnusableStateError } from '../core/store.js';
import { readTar, type TarMember, writeTar } from './tar.js';

/** A whole state in one file: a gzipped tar of `manifest.json`, then `mail.db`, an SQLite database. */

const MANIFEST = 'manifest.json';
const DATABASE = 'mail.db';
/** Far more than a manifest has. */
const MANIFEST_BYTES_MAX = 64 * 1024;

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
  const members = readTar(unzip(bytes), maxBytes);
  try {
    const { value: first } = await members.next();
    if (first?.name !== MANIFEST) {
      throw new UnusableStateError(`This is not an svc archive: it does not begin with ${MANIFEST}.`);
    }
    if (first.size > MANIFEST_BYTES_MAX) throw new UnusableStateError(`The archive's ${MANIFEST} is too large.`);
    return { manifest: await readManifest(first), database: databaseIn(members) };
  } catch (error) {
    await members.return(undefined);
    throw error;
  }
}

async function readManifest({ content }: TarMember): Promise<StateManifest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  let found: unknown;
  try {
    found = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new UnusableStateError(`This is not an svc archive: its ${MANIFEST} is not JSON.`);
  }
  const { format, format_version } = (found ?? {}) as { format?: unknown; format_version?: unknown };
  if (format !== 'svc-state') throw new UnusableStateError('This is not an svc archive.');
  // First, because a newer one may look different in everything else.
  if (typeof format_version === 'number' && format_version > ARCHIVE_FORMAT_VERSION) {
    throw new UnusableStateError(
      `The archive was written by a newer svc (format ${format_version}; this version supports ${ARCHIVE_FORMAT_VERSION}). Update svc.`,
    );
  }
  const manifest = StateManifest.safeParse(found);
  if (!manifest.success) throw new UnusableStateError(`The archive's ${MANIFEST} is damaged.`);
  return manifest.data;
}

async function* databaseIn(members: AsyncIterable<TarMember>): AsyncGenerator<Uint8Array> {
  let found = false;
  for await (const { name, content } of members) {
    if (name === MANIFEST || (name === DATABASE && found)) {
      throw new UnusableStateError(`The archive is invalid: it contains ${name} twice.`);
    }
    if (name !== DATABASE) continue;
    found = true;
    yield* content;
  }
  if (!found) throw new UnusableStateError(`The archive has no ${DATABASE}.`);
}

/** Damage shows at any place: every block and the whole have a check sum. RFC 1952. */
async function* unzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* through(bytes, createGunzip({ chunkSize: 64 * 1024 }));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (message === 'incorrect header check') {
      throw new UnusableStateError('This is not an svc archive: it is not compressed with gzip.');
    }
    if (code === 'Z_BUF_ERROR') throw new UnusableStateError('The archive is truncated.');
    if (code === 'Z_DATA_ERROR') throw new UnusableStateError(`The archive is damaged: ${message}.`);
    throw error;
  }
}

async function* through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: true });
  // Told by the transform too, whose reader throws it.
  const piped = pipeline(source, transform).catch(() => {});
  try {
    yield* transform as AsyncIterable<Uint8Array>;
  } finally {
    source.destroy();
    transform.destroy();
    await piped;
  }
}
