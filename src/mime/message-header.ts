import addressparser from 'nodemailer/lib/addressparser';
import { normalizeAddress, shownMailbox } from '../contract/vocabulary/parsers/address.js';
import { readServiceHeaders } from '../contract/vocabulary/service-headers.js';
import type { ParsedMessage } from '../core/ports.js';
import { decodeWords } from './extract/headers.js';
import { readFields } from './header.js';
import { ADDRESS_FIELD_MAX, SHOWN_FIELD_MAX } from './limits.js';
import { comparedMailbox, namesOf } from './shown-mailbox.js';

/** Characters of a list of addresses that are read here: the grammar takes more than linear time. */
const LIST_MAX = ADDRESS_FIELD_MAX / 16;

/**
 * Reads what the header of a message says, in linear time and without its bodies. It stands for the message until a
 * worker has parsed it.
 */
export function readMessageHeader(message: Uint8Array): ParsedMessage {
  const fields = new Map<string, string>();
  for (const { name, value } of readFields(message, LIST_MAX)) {
    const key = name.toLowerCase();
    if (!fields.has(key)) fields.set(key, value.replace(/\r?\n/g, '').trim());
  }
  const mailboxes = (name: string) =>
    addressparser((fields.get(name) ?? '').slice(0, LIST_MAX), { flatten: true }).map(({ name: phrase, address }) => ({
      name: decodeWords(phrase),
      address,
    }));
  const addresses = (name: string) =>
    mailboxes(name).flatMap(({ address }) => (address === '' ? [] : [normalizeAddress(address)]));
  const [sender] = mailboxes('from');
  return {
    content: {
      from: sender ? shownMailbox(sender).slice(0, SHOWN_FIELD_MAX) : '',
      fromMailbox: comparedMailbox(sender?.address ?? ''),
      subject: decodeWords((fields.get('subject') ?? '').slice(0, SHOWN_FIELD_MAX)).trim(),
      replyTo: mailboxes('reply-to').map(shownMailbox).join(', ').slice(0, SHOWN_FIELD_MAX) || null,
      html: '',
      text: '',
      parseError: null,
    },
    to: addresses('to'),
    cc: addresses('cc'),
    names: namesOf([...mailboxes('to'), ...mailboxes('cc')]),
    attachments: [],
    service: readServiceHeaders((name) => fields.get(name) ?? null),
    unknownHeaders: [],
    warnings: [],
  };
}
