import { normalizeAddress } from '../../../../contract/vocabulary/parsers/address.js';
import { mailboxOf } from '../../emails/addresses.js';
import type { EmailDetails } from '../types.js';
import { type Detail, detailsOf } from './event-details.js';

/** Something that happened to an email, or is about to. */
export interface Entry {
  key: string;
  /** A status or the kind of an event. */
  what: string;
  /** On the service's clock; null if it is not known. */
  at: string | null;
  recipient: string | null;
  details: readonly Detail[];
  /** The event, unless the entry is none. */
  event?: EmailDetails['events'][number];
  isPending?: boolean;
}

/** Returns what happened to an email in order, and what is due. With a mailbox, only what concerns that recipient. */
export function entriesOf(email: EmailDetails, mailbox: string | null): Entry[] {
  const isShown = (address: unknown) => mailbox === null || normalizeAddress(mailboxOf(String(address))) === mailbox;
  const events = email.events.filter(({ data }) => data.to === undefined || isShown(data.to));
  return [acceptance(email), ...schedule(email), ...events.map(eventEntry), ...pending(email, isShown)];
}

function acceptance({ created_at, origin, envelope }: EmailDetails): Entry {
  const sender: Detail[] = envelope ? [['Envelope sender', `<${envelope.mail_from}>`]] : [];
  const how: Detail = ['Received', origin === 'smtp' ? 'over SMTP' : 'with the API'];
  return { key: 'accepted', what: 'accepted', at: created_at, recipient: null, details: [how, ...sender] };
}

function schedule({ scheduled_at, status }: EmailDetails): Entry[] {
  if (scheduled_at === null) return [];
  if (status === 'cancelled') {
    const details: Detail[] = [['Reason', 'Cancelled before its scheduled time']];
    return [{ key: 'cancelled', what: 'cancelled', at: null, recipient: null, details }];
  }
  return [
    {
      key: 'scheduled',
      what: 'scheduled',
      at: scheduled_at,
      recipient: null,
      details: [],
      isPending: status === 'scheduled',
    },
  ];
}

function eventEntry(event: EmailDetails['events'][number]): Entry {
  const { id, type, created_at, data } = event;
  return {
    key: id,
    what: type.replace('email.', ''),
    at: created_at,
    recipient: data.to === undefined ? null : String(data.to),
    details: detailsOf(data),
    event,
  };
}

/** Returns an entry for each recipient without a result. */
function pending({ recipients }: EmailDetails, isShown: (address: string) => boolean): Entry[] {
  return recipients
    .filter(({ status, mailbox }) => status === 'sent' && isShown(mailbox))
    .map(({ mailbox, next_attempt_at }) => ({
      key: `pending ${mailbox}`,
      what: 'pending',
      at: next_attempt_at,
      recipient: mailbox,
      details: next_attempt_at === null ? [['Next attempt', 'none; simulate an outcome to continue']] : [],
      isPending: true,
    }));
}
