import { hostname, userInfo } from 'node:os';
import { readAnyAddress } from '../../contract/vocabulary/addresses.js';
import { rfc5322Date } from '../../contract/vocabulary/instants.js';
import { MEBIBYTE, REQUEST_BODY_BYTES } from '../../contract/vocabulary/limits.js';
import { allCrlf } from '../emails/import/mbox.js';
import { UsageError } from '../errors/exit-codes.js';
import { systemNow } from '../output/local-time.js';
import { quoted } from '../output/text.js';
import type { Submission } from './deliver.js';
import { SendmailError, type SendmailOptions, sysexits } from './options.js';

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

/** Reads a message as sendmail does, and completes its header. */

/** A message with line ends in CRLF. */
interface Message {
  /** The fields with their names in lower case, and their lines with one character per byte, in order. */
  fields: { name: string; lines: string }[];
  body: Buffer;
}

const FIELD = /^([!-9;-~]+)[ \t]*:/;
const NEWLINE = 0x0a;

/** Returns the input up to a line that consists of a dot, unless dots are ignored. */
function untilDot(input: Buffer, ignoresDots: boolean): Buffer {
  if (ignoresDots) return input;
  for (let start = 0; start < input.length; start = lineEnd(input, start)) {
    const line = input.subarray(start, Math.min(start + 4, input.length)).toString('latin1');
    if (/^\.\r?(\n|$)/.test(line)) return input.subarray(0, start);
  }
  return input;
}

/** Reads a message. Text that begins without a header is a body. A line `From …` of an mbox at its start is left out. */
function readMessage(input: Buffer): Message {
  const fields: Message['fields'] = [];
  let at = startsWith(input, 'From ') ? lineEnd(input, 0) : 0;
  while (at < input.length) {
    const end = lineEnd(input, at);
    // One character per byte.
    const line = input
      .subarray(at, end)
      .toString('latin1')
      .replace(/\r?\n$/, '');
    const name = FIELD.exec(line)?.[1];
    const last = fields.at(-1);
    if (line === '') {
      at = end;
      break;
    }
    if (/^[ \t]/.test(line) && last) last.lines += `\r\n${line}`;
    else if (name !== undefined) fields.push({ name: name.toLowerCase(), lines: line });
    else break;
    at = end;
  }
  return { fields, body: allCrlf(input.subarray(at)) };
}

function toBytes({ fields, body }: Message): Buffer {
  const head = fields.map(({ lines }) => `${lines}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), body]);
}

interface Sender {
  /** The sender of the envelope; empty for the null sender. */
  address: string;
  name: string | undefined;
  now: number;
}

/** Returns the message without Bcc, and with From, Date and Message-ID where they are missing. */
function completed({ fields, body }: Message, { address, name, now }: Sender): Message {
  const kept = fields.filter((field) => field.name !== 'bcc');
  const has = (wanted: string) => kept.some((field) => field.name === wanted);
  const add = (field: string, value: string) => {
    if (!has(field.toLowerCase())) kept.push({ name: field.toLowerCase(), lines: asLatin1(`${field}: ${value}`) });
  };
  add('From', mailbox(address === '' ? `mailer-daemon@${LOCAL_DOMAIN}` : address, name));
  add('Date', rfc5322Date(now));
  add('Message-ID', `<${now.toString(36)}.${process.pid}@${hostname().replace(/[^\w.-]/g, '') || LOCAL_DOMAIN}>`);
  return { fields: kept, body };
}

/** The domain of local addresses such as `root`: with a dot, so that it passes the checks of addresses. */
const LOCAL_DOMAIN = 'localhost.localdomain';

/** Returns an address with a domain: `root` becomes `root@localhost.localdomain`. */
function withDomain(address: string): string {
  return address === '' || address.includes('@') ? address : `${address}@${LOCAL_DOMAIN}`;
}

/** Returns the address of the user who runs the command. */
function ownAddress(): string {
  try {
    return withDomain(userInfo().username);
  } catch {
    // A user without an account, as containers have.
    return withDomain(`uid-${process.getuid?.() ?? 0}`);
  }
}

/** Returns text in UTF-8 with one character per byte. Others would lose bits, and could become line ends. */
function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function mailbox(address: string, name: string | undefined): string {
  if (name === undefined || name === '') return address;
  const bytes = Buffer.from(name.replace(/[\r\n]+/g, ' '));
  const shown = /^[ -~]*$/.test(name)
    ? `"${name.replace(/["\\]/g, '\\$&')}"`
    : `=?UTF-8?B?${bytes.toString('base64')}?=`;
  return `${shown} <${address}>`;
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.subarray(0, text.length).toString('latin1') === text;
}

/** Returns the position after the line that begins at `start`. */
function lineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(NEWLINE, start);
  return end < 0 ? bytes.length : end + 1;
}
