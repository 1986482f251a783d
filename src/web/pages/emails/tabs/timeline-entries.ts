import { normalizeAddress } from '../../../../contract/vocabulary/addresses.js';
import { mailboxOf } from '../../../components/format.js';
import type { EmailDetails } from '../types.js';

/** Something that happened to an email, or is about to. */
export interface Entry {
  key: string;
  /** A status or the kind of an event. */
  what: string;
  /** On the service's clock; null if it is not known. */
  at: string | null;
  recipient: string | null;
  details: readonly Detail[];
  /** The event, if the entry is one. */
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

/** A label and a text. */
type Detail = readonly [label: string, text: string];

/** The labels of fields of events, in the order in which they are shown. Other fields are shown elsewhere. */
const LABELS: Record<string, string> = {
  bounce_type: 'Bounce',
  complaint_type: 'Complaint',
  reason: 'Reason',
  smtp_response: 'SMTP response',
  url: 'Link',
  user_agent: 'User agent',
  ip_address: 'IP address',
  location: 'Location',
  feedback_id: 'Feedback ID',
};

/** Texts for values that are names, by field. The data of a triggered event may have any other. */
const TEXTS = new Map([
  ['bounce_type hard', 'hard: the address does not accept email'],
  ['bounce_type soft', 'soft: the address may accept email later'],
  ['reason suppressed', 'The address is suppressed'],
  ['reason invalid_address', 'The address is invalid'],
]);

/** Returns the data of an event in words. */
function detailsOf(data: Record<string, unknown>): Detail[] {
  return Object.entries(LABELS).flatMap(([name, label]): Detail[] => {
    const text = textOf(data[name]);
    return text === '' ? [] : [[label, TEXTS.get(`${name} ${text}`) ?? text]];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return Object.values(value).filter(Boolean).join(', ');
  return String(value);
}
