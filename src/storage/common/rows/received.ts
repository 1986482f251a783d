import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type {
  DsnRecipient,
  DsnRequest,
  ReceivedEnvelope,
  ReceivedMessage,
  ReceivedSummary,
  UnparsedMessage,
} from '../../../core/model/contents.js';
import { BadRowError, type Columns } from './columns.js';

/** Reads rows of messages that were received over SMTP. */

/** A row of `received`. */
export interface Received {
  seq: number;
  message: Omit<ReceivedMessage, 'bytes'>;
  held: HeldContent;
}

function readEnvelope(row: Columns): ReceivedEnvelope {
  row.key('email_seq');
  return { mailFrom: row.text('mail_from'), recipients: row.list('recipients') };
}

function readDsn(row: Columns): { dsn?: DsnRequest } {
  if (row.textOrNull('dsn') === null) return {};
  const { ret, envid, recipients } = row.object('dsn') as unknown as DsnRequest;
  if (isText(ret) && isText(envid) && Array.isArray(recipients) && recipients.every(isDsnRecipient)) {
    return { dsn: { ret, envid, recipients } };
  }
  throw new BadRowError('dsn is not a request for notifications');
}

function isDsnRecipient(value: unknown): value is DsnRecipient {
  const { address, notify, orcpt } = (value ?? {}) as DsnRecipient;
  const isList = notify === null || (Array.isArray(notify) && notify.every((each) => typeof each === 'string'));
  return typeof address === 'string' && isList && isText(orcpt);
}

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

export function readSummary(row: Columns): ReceivedSummary {
  return {
    ...readEnvelope(row),
    ...readDsn(row),
    size: row.integer('size', 0),
    sessionId: row.textOrNull('session_id'),
    keyId: row.textOrNull('key_id'),
  };
}

export function readReceived(row: Columns): Received {
  const message = { ...readEnvelope(row), ...readDsn(row) };
  return { seq: row.integer('email_seq'), message, held: readHeld(row) };
}

/** Reads a row of `unparsed` with those of its message and its email. */
export function readUnparsed(row: Columns): UnparsedMessage {
  return {
    ...readEnvelope(row),
    seq: row.key('seq'),
    id: row.text('id'),
    createdAt: row.instant('created_at'),
    capturedAt: row.instant('captured_at'),
    workspace: row.textOrNull('workspace'),
    size: row.integer('size', 0),
    attempts: row.integer('attempts', 0),
  };
}

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
