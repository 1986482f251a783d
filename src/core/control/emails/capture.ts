import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { MEBIBYTE, RECIPIENTS_MAX, REQUEST_BODY_BYTES } from '../../../contract/vocabulary/limits.js';
import { readAnyAddress } from '../../../contract/vocabulary/parsers/address.js';
import type { ReceivedEnvelope } from '../../model/received.js';
import { UnprocessableError } from '../../ports.js';
import type { ControlHandler } from '../context.js';

/** Implements the control API's endpoint that captures a message without SMTP. */

const ENVELOPE_HINT = 'Correct the header of the message, or pass mail_from and rcpt_to.';

export const captureMessage: ControlHandler<'emails.capture'> = async ({ body, query }, context) => {
  const { readEnvelope, accept, importMessage, key } = context;
  const bytes = await collect(body);
  // The body may have taken longer than the key was valid.
  await context.recheck();
  if (bytes.byteLength === 0) throw new ServiceError('invalid', 'The message is empty.');
  const { mail_from, rcpt_to } = query;
  const fromHeader =
    mail_from !== undefined && rcpt_to !== undefined ? NO_ENVELOPE : await readEnvelope(bytes).catch(unreadable);
  const envelope = { mailFrom: mail_from ?? fromHeader.mailFrom, recipients: rcpt_to ?? fromHeader.recipients };
  const message = { ...readable(envelope), bytes };
  if (query.import_key !== undefined) return importMessage(message, key.workspace, query.import_key);
  return { id: await accept(message, key.workspace) };
};

const NO_ENVELOPE: ReceivedEnvelope = { mailFrom: '', recipients: [] };

function unreadable(error: unknown): never {
  if (!(error instanceof UnprocessableError)) throw error;
  const message = `The addresses in the header cannot be read. ${error.message}`;
  throw new ServiceError('invalid', message, undefined, ENVELOPE_HINT);
}

/** Returns the envelope with bare addresses. @throws ServiceError for one that SMTP would refuse. */
function readable({ mailFrom, recipients }: ReceivedEnvelope): ReceivedEnvelope {
  if (recipients.length === 0) {
    throw new ServiceError('invalid', 'The message has no recipient in To, Cc or Bcc.', undefined, ENVELOPE_HINT);
  }
  if (recipients.length > RECIPIENTS_MAX) {
    throw new ServiceError('invalid', `The message has more than ${RECIPIENTS_MAX} recipients.`);
  }
  return { mailFrom: mailFrom === '' ? '' : mailbox(mailFrom), recipients: recipients.map(mailbox) };
}

function mailbox(input: string): string {
  const read = readAnyAddress(input);
  if (!('problem' in read)) return read.address;
  throw new ServiceError('invalid', `Address ${JSON.stringify(input)} ${read.problem}.`, undefined, ENVELOPE_HINT);
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > REQUEST_BODY_BYTES) {
      throw new ServiceError('bad_request', `The request body is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
