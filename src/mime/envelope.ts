import addressparser from 'nodemailer/lib/addressparser';
import type { ReadEnvelope } from '../core/ports.js';

/** Reads the envelope that the header of a message implies. */

/** The part of a message in which the header is looked for, in bytes. */
const HEADER_BYTES = 1024 * 1024;
const SENDER_FIELDS = ['return-path', 'sender', 'from'];
const RECIPIENT_FIELDS = new Set(['to', 'cc', 'bcc']);

export const readEnvelope: ReadEnvelope = (bytes) => {
  const fields = headerFields(bytes);
  const senders = SENDER_FIELDS.flatMap((name) => fields.filter((field) => field.name === name));
  const recipients = fields.filter(({ name }) => RECIPIENT_FIELDS.has(name)).flatMap(({ value }) => addressesIn(value));
  return {
    mailFrom: senders.flatMap(({ value }) => addressesIn(value))[0] ?? '',
    recipients: [...new Set(recipients)],
  };
};

/** Returns the unfolded fields of the header, by name in lower case. Lines end with CRLF or LF. */
function headerFields(bytes: Uint8Array): { name: string; value: string }[] {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_BYTES)).toString();
  const [head = ''] = start.split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .map((line) => {
      const colon = line.indexOf(':');
      return { name: line.slice(0, Math.max(0, colon)).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
    });
}

function addressesIn(value: string): string[] {
  return addressparser(value, { flatten: true }).flatMap(({ address }) => (address === '' ? [] : [address]));
}
