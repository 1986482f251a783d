import { constants, createReadStream, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { MEBIBYTE, REQUEST_BODY_BYTES } from '../../../contract/vocabulary/limits.js';
import { UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { allCrlf, type FoundMessage, isMbox, readMbox } from './mbox.js';

/** Finds the messages in files, mailboxes and Maildir directories. */

/** A message and its origin. */
export interface SourceMessage {
  /** The file, with the number of the message in a mailbox: `mail.mbox:3`. */
  name: string;
  message: FoundMessage;
}

export interface Source {
  name: string;
  /** Bytes; undefined for stdin. */
  size: number | undefined;
  /** Calls back with the number of bytes as they are read. @throws AbortError if the signal fires during a read. */
  read(onBytes: (count: number) => void, signal: AbortSignal): AsyncIterable<SourceMessage>;
}

const STDIN = '-';
const MAILDIR_FOLDERS = ['cur', 'new'];
/** Bytes of a first line that tell a mailbox from a message. */
const FIRST_LINE_BYTES = 512;

/** Opens a file, a mailbox, a Maildir or stdin. @throws UsageError for any other path. */
export function openSource(path: string): Source {
  if (path === STDIN)
    return {
      name: 'stdin',
      size: undefined,
      read: (onBytes, signal) => readStream('stdin', addAbortSignal(signal, process.stdin), onBytes),
    };
  const stats = statsOf(path);
  if (stats.isDirectory()) return maildir(path);
  if (stats.isFIFO()) {
    return {
      name: path,
      size: undefined,
      read: (onBytes, signal) => readStream(path, openPipe(path, signal), onBytes),
    };
  }
  if (!stats.isFile()) throw new UsageError(`${path} is not a file or a Maildir.`);
  return { name: path, size: stats.size, read: (onBytes, signal) => readFileSource(path, onBytes, signal) };
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${describeFileError(error)}.`);
  }
}

/**
 * Opens a named pipe without waiting for a writer. Node cannot end while one of its threads waits for one.
 */
function openPipe(path: string, signal: AbortSignal): Socket {
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false, signal });
}

function maildir(path: string): Source {
  const files = MAILDIR_FOLDERS.flatMap((folder) => filesIn(join(path, folder)) ?? []);
  if (!MAILDIR_FOLDERS.every((folder) => filesIn(join(path, folder)))) {
    throw new UsageError(
      `${path} is not a Maildir: it must contain ${MAILDIR_FOLDERS.join(' and ')}.`,
      'Pass its files.',
    );
  }
  const size = files.reduce((sum, file) => sum + (statsIfFound(file)?.size ?? 0), 0);
  return {
    name: path,
    size,
    async *read(onBytes) {
      for (const name of files) {
        const isSpecial = statsIfFound(name)?.isFile() === false;
        yield { name, message: isSpecial ? NOT_REGULAR : await wholeFile(name, onBytes, allCrlf) };
      }
    },
  };
}

/** A named pipe, for example, would wait for a writer. */
const NOT_REGULAR: FoundMessage = { problem: 'it is not a regular file' };

/** Returns what is at a path in a Maildir; undefined if that cannot be found out, such as for links in a circle. */
function statsIfFound(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the files of a folder, in the order of their names, which begin with a time; undefined without the folder. */
function filesIn(folder: string): string[] | undefined {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return undefined;
  }
}

async function* readFileSource(
  path: string,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): AsyncGenerator<SourceMessage> {
  if (/\.eml$/i.test(path)) {
    yield { name: path, message: await wholeFile(path, onBytes) };
    return;
  }
  try {
    yield* readStream(path, createReadStream(path, { signal }), onBytes);
  } catch (error) {
    yield { name: path, message: unreadable(error) };
  }
}

/** Reads a file of at most the size of a message. */
export async function wholeFile(
  path: string,
  onBytes: (count: number) => void = () => {},
  convert: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<FoundMessage> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      onBytes(size);
      if (size === 0) return { problem: 'it is empty' };
      if (size > REQUEST_BODY_BYTES) return { problem: `it is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB` };
      return { bytes: convert(await file.readFile()) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** @throws the error if it is not one of the file system. */
function unreadable(error: unknown): FoundMessage {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return { problem: `it cannot be read: ${describeFileError(error)}` };
}

/** Reads a mailbox, or one message, depending on how it begins. */
export async function* readStream(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<SourceMessage> {
  const chunks = stream[Symbol.asyncIterator]();
  const first = await firstLine(chunks, onBytes);
  if (first.length === 0) {
    yield { name, message: { problem: 'it is empty' } };
    return;
  }
  const all = rest(first, chunks, onBytes);
  if (isMbox(first)) {
    let number = 0;
    for await (const message of readMbox(all, REQUEST_BODY_BYTES)) {
      number += 1;
      yield { name: `${name}:${number}`, message };
    }
    return;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of all) {
    size += chunk.byteLength;
    if (size <= REQUEST_BODY_BYTES) parts.push(chunk);
  }
  const tooLarge = size > REQUEST_BODY_BYTES;
  yield {
    name,
    message: tooLarge
      ? { problem: `it is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB` }
      : { bytes: Buffer.concat(parts) },
  };
}

/** Returns the chunks up to the end of the first line, or of a prefix that shows what it is. */
async function firstLine(chunks: AsyncIterator<Uint8Array>, onBytes: (count: number) => void): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < FIRST_LINE_BYTES && !start.includes('\n')) {
    const chunk = await next(chunks, onBytes);
    if (!chunk) break;
    start = Buffer.concat([start, chunk]);
  }
  return start;
}

async function next(
  chunks: AsyncIterator<Uint8Array>,
  onBytes: (count: number) => void,
): Promise<Uint8Array | undefined> {
  const { value, done } = await chunks.next();
  if (done) return undefined;
  onBytes(value.byteLength);
  return value;
}

async function* rest(
  first: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let chunk = await next(chunks, onBytes); chunk; chunk = await next(chunks, onBytes)) yield chunk;
}
