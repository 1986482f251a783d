import addressparser from 'nodemailer/lib/addressparser';
import type { ReadEnvelope } from '../core/ports.js';
import { readFields } from './header.js';

/** Reads the envelope that the header of a message implies. */

const SENDER_FIELDS = ['return-path', 'sender', 'from'];
const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'];
/** Fields that a delivery adds, for a message without recipients in its header. */
const DELIVERY_FIELDS = ['delivered-to', 'x-original-to', 'envelope-to'];

export const readEnvelope: ReadEnvelope = (bytes) => {
  const fields = readFields(bytes).map(({ name, value }) => ({ name: name.toLowerCase(), value: value.trim() }));
  const senders = SENDER_FIELDS.flatMap((name) => fields.filter((field) => field.name === name));
  const addressesOf = (names: string[]) =>
    fields.filter(({ name }) => names.includes(name)).flatMap(({ value }) => addressesIn(value));
  const recipients = addressesOf(RECIPIENT_FIELDS);
  return {
    mailFrom: senders.flatMap(({ value }) => addressesIn(value))[0] ?? '',
    recipients: [...new Set(recipients.length > 0 ? recipients : addressesOf(DELIVERY_FIELDS))],
  };
};

const LOCAL_NAME = /^[\w.+-]+$/;

/** Returns the addresses in a field such as To, with local ones, which have no domain: `root`. */
export function mailboxesIn(value: string): string[] {
  return addressparser(value, { flatten: true }).flatMap(({ address, name }) => {
    if (address !== '') return [address];
    return LOCAL_NAME.test(name) ? [name] : [];
  });
}

function addressesIn(value: string): string[] {
  return addressparser(value, { flatten: true }).flatMap(({ address }) => (address === '' ? [] : [address]));
}
