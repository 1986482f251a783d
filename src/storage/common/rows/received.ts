import type {
  DsnRecipient,
  DsnRequest,
  ReceivedEnvelope,
  ReceivedMessage,
  ReceivedSummary,
  UnparsedMessage,
} from '../../../core/model/received.js';
import { BadRowError, type Columns } from './columns.js';
import { type HeldContent, readHeld } from './held-content.js';

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
