import { MEBIBYTE, REQUEST_BODY_BYTES } from '../../contract/vocabulary/limits.js';
import { readAnyAddress } from '../../contract/vocabulary/parsers/address.js';
import { UsageError } from '../errors/exit-codes.js';
import { quoted } from '../output/text.js';
import { systemNow } from '../process/system-time.js';
import type { Submission } from './deliver.js';
import { SendmailError, sysexits } from './exit-codes.js';
import { completed, type Message, ownAddress, readMessage, toBytes, untilDot, withDomain } from './message.js';
import type { SendmailOptions } from './options.js';

/**
 * Reads a message and its envelope.
 * @throws UsageError without a recipient, SendmailError for an invalid address or a message that is too large.
 */
export async function prepare(options: SendmailOptions, input: AsyncIterable<Uint8Array>): Promise<Submission> {
  const { recipients: named, readsRecipients, senderName, dsn } = options;
  if (named.length === 0 && !readsRecipients) {
    throw new UsageError('No recipients.', 'Pass recipients as arguments, or -t to read them from To, Cc and Bcc.');
  }
  const { mailboxesIn } = await import('../../mime/envelope.js');
  const message = readMessage(untilDot(await collect(input), options.ignoresDots));
  const inFields = (...names: (keyof typeof FIELD_NAMES)[]): Found[] =>
    names.flatMap((name) =>
      valuesOf(message, name)
        .flatMap(mailboxesIn)
        .map((address) => ({ address, field: FIELD_NAMES[name] })),
    );
  const given = named.flatMap(mailboxesIn).map((address) => ({ address }));
  const found = [...given, ...(readsRecipients ? inFields('to', 'cc', 'bcc') : [])];
  if (found.length === 0) throw noRecipients(valuesOf(message, 'to')[0]);
  const recipients = [...new Set(found.map((each) => valid(each, sysexits.noUser)))];
  const inMessage = () => inFields('sender', 'from')[0] ?? { address: ownAddress() };
  const sender = options.sender === undefined ? inMessage() : { address: options.sender };
  const mailFrom = sender.address === '' ? '' : valid(sender, sysexits.usage);
  const whole = completed(message, { address: mailFrom, name: senderName, now: systemNow() });
  return { mailFrom, recipients, bytes: toBytes(whole), dsn };
}

function valuesOf({ fields }: Message, name: string): string[] {
  return fields
    .filter((field) => field.name === name)
    .map(({ lines }) => Buffer.from(lines.slice(lines.indexOf(':') + 1).replace(/\r\n/g, ''), 'latin1').toString());
}

const FIELD_NAMES = { to: 'To', cc: 'Cc', bcc: 'Bcc', sender: 'Sender', from: 'From' };

/** An address, and the field of the header that it is from; undefined for one that was passed as an argument. */
interface Found {
  address: string;
  field?: string;
}

function noRecipients(to = ''): UsageError {
  const text = to.trim();
  return new UsageError(
    'No recipients in To, Cc and Bcc.',
    text === '' ? undefined : `To has no address: ${quoted(text)}. Write user@host or Name <user@host>.`,
  );
}

/** Returns the address with a domain. @throws SendmailError with the exit code for one that no server would accept. */
function valid({ address, field }: Found, exitCode: number): string {
  const whole = withDomain(address);
  const read = readAnyAddress(whole);
  if (!('problem' in read)) return read.address;
  const where = field === undefined ? '' : ` in ${field}`;
  throw new SendmailError(`Invalid address ${quoted(address)}${where}: it ${read.problem}.`, exitCode);
}

async function collect(input: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.byteLength;
    if (size > REQUEST_BODY_BYTES) {
      throw new SendmailError(`The message is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB.`, sysexits.unavailable);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
