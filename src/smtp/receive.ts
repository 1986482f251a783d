import type { SMTPServerDataStream, SMTPServerEnvelope, SMTPServerSession } from 'smtp-server';
import { ServiceError } from '../contract/vocabulary/errors.js';
import { MEBIBYTE } from '../contract/vocabulary/limits.js';
import type { WhenRead } from '../core/mail/inbound/inbound.js';
import { type Login, OverLimitError } from '../core/mail/inbound/submission.js';
import type { DsnRequest, ReceivedMessage } from '../core/model/received.js';
import type { ParsedMessage } from '../core/ports.js';
import { loginOf, refusal, type StrictChecks, strictRefusal } from './auth.js';
import { type MemoryBudget, MessageBuffer } from './message-buffer.js';
import { announcedBy } from './paths.js';
import type { SessionRecorder } from './sessions/session-recorder.js';

/** Receives the content of messages. */

/** What REST takes as a body: 25 MiB of attachments make 34 MiB in base64; the rest is text and headers. */
export const MESSAGE_BYTES = 40 * 1024 * 1024;

/** The enhanced status code of a server without room. The default for 452 is 4.2.2, a full mailbox. */
const SYSTEM_FULL = '4.3.1';
const LOG_IN_AGAIN = 'the API key of this login has been revoked; log in with another';

/**
 * Injects a fault after the content of a message. Resolves with the function to call when the message is stored.
 * @throws Error with the SMTP response code to reply with.
 */
export type InjectAtEnd = (
  session: SMTPServerSession,
  message: ReceivedMessage,
  parsed: ParsedMessage,
) => Promise<((id: string) => Promise<void>) | undefined>;

export interface ReceiveDeps {
  /** Resolves with the message's ID when it is on disk. @throws OverLimitError */
  accept(message: ReceivedMessage, login: Login, whenRead: WhenRead): Promise<string>;
  budget: MemoryBudget;
  strict: StrictChecks | undefined;
  injectAtEnd: InjectAtEnd;
  recorder: SessionRecorder | undefined;
  onInternalError(error: unknown): void;
}

/**
 * Reads a message and passes it on. Resolves with its ID once it is on disk.
 * @throws Error with the SMTP response code to reply with.
 */
export async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { accept, budget, strict, injectAtEnd, recorder, onInternalError }: ReceiveDeps,
): Promise<string> {
  const buffer = new MessageBuffer(budget);
  let whole: Buffer | undefined;
  let isStored = false;
  const fail = (error: unknown): never => {
    // The key of the login was revoked after AUTH. 530 and 535 are for commands before the content.
    if (error instanceof ServiceError && error.failure === 'unauthenticated') throw refusal(550, LOG_IN_AGAIN);
    if (error instanceof OverLimitError) throw strictRefusal([{ ...error.finding, message: error.message }]);
    onInternalError(error);
    throw refusal(451, 'the message could not be stored; try again');
  };
  try {
    const bytes = await collect(stream, buffer);
    if (stream.sizeExceeded) throw refusal(552, `the message is larger than ${MESSAGE_BYTES / MEBIBYTE} MiB`);
    if (!bytes) throw refusal(452, 'too many large messages at once; try again later', SYSTEM_FULL);
    whole = bytes;
    const { mailFrom, rcptTo } = session.envelope;
    const dsn = dsnRequestOf(session.envelope);
    const message = {
      mailFrom: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map(({ address }) => address),
      bytes,
      sessionId: recorder?.id,
      announced: announcedBy(session.envelope),
      ...(dsn && { dsn }),
    };
    const login = loginOf(session);
    let refused: unknown;
    let onStored: Awaited<ReturnType<InjectAtEnd>>;
    const whenRead: WhenRead = async (parsed) => {
      const findings = (await strict?.message(message, parsed)) ?? [];
      try {
        const strictly = strictRefusal(findings);
        if (strictly) throw strictly;
        onStored = await injectAtEnd(session, message, parsed);
      } catch (error) {
        refused = error;
        throw error;
      }
    };
    const id = await accept(message, login, whenRead).catch((error: unknown) => {
      if (error === refused) throw error;
      return fail(error);
    });
    isStored = true;
    recorder?.accepted(id, bytes.length);
    await onStored?.(id);
    return id;
  } catch (error) {
    buffer.release();
    if (!isStored) recorder?.unaccepted(whole ?? buffer.head, stream.byteLength);
    throw error;
  } finally {
    buffer.release();
  }
}

/**
 * Reads a message to its end. Returns undefined when it is too large, or the budget has no room for it: its memory is released
 * at once, although the client may continue sending.
 * @throws Error when the client disconnects.
 */
function collect(stream: SMTPServerDataStream, buffer: MessageBuffer): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    stream.on('data', (chunk: Buffer) => {
      if (isRefused || (!stream.sizeExceeded && buffer.append(chunk))) return;
      isRefused = true;
      buffer.release();
    });
    stream.once('end', () => resolve(isRefused ? undefined : buffer.content()));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The client closed the connection.')));
  });
}

/** Returns the parameters of RFC 3461 that a client gave; null for none. */
function dsnRequestOf({ dsn, rcptTo }: SMTPServerEnvelope): DsnRequest | null {
  const recipients = rcptTo.flatMap(({ address, dsn: given }) =>
    given?.notify || given?.orcpt ? [{ address, notify: given.notify ?? null, orcpt: given.orcpt ?? null }] : [],
  );
  const ret = dsn?.ret ?? null;
  const envid = dsn?.envid ?? null;
  return ret === null && envid === null && recipients.length === 0 ? null : { ret, envid, recipients };
}
