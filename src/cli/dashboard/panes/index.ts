import type { Client } from '../../../client/client.js';
import { EVENTS_REMOVED, readEventsSoFar, type ServerSentEvent } from '../../../client/event-source.js';
import { ApiFailure } from '../../../client/failures.js';
import { addressOf, clientOf, endOf } from '../../../client/smtp-session-texts.js';
import type { LoggedRequest, SmtpSession } from '../../../contract/control/logs.js';
import type { DeliverySummary } from '../../../contract/control/webhooks.js';
import type { EmailStatus, EmailSummary } from '../../../contract/service/emails.js';
import { indented } from '../../../contract/vocabulary/json.js';
import { warningText } from '../../../contract/vocabulary/warnings.js';
import type { EventEnvelope } from '../../../contract/webhook-events.js';
import { printedOut } from '../../output/color.js';
import { fieldLines } from '../../output/fields.js';
import { section } from '../../output/formatters/email-inspection.js';
import { errorText, notesOf } from '../../output/formatters/request.js';
import { describeSession } from '../../output/formatters/smtp-session.js';
import { warningLines } from '../../output/formatters/warning-report.js';
import { localTime, localTimeOfDay } from '../../output/local-time.js';
import { oneLine, safeText } from '../../output/text.js';
import { attemptText } from '../../webhooks/listen-view/listen-state.js';
import { describeEmailDetail } from './email-detail.js';
import { type Copy, newestOf, type Pane, type Row, type Tone, wordsOf } from './pane.js';

const deliveries: Pane = {
  title: 'Deliveries',
  item: 'Delivery',
  columns: [
    { title: 'EVENT', width: 16, sort: true },
    { title: 'URL', width: 8, grow: 1, sort: true },
    { title: 'RESULT', width: 6, sort: true },
    { title: 'TRIES', width: 5, from: 60 },
    { title: 'NEXT', width: 8, from: 70 },
    { title: 'TIME', width: 8, from: 48 },
    { title: 'ID', width: 30, from: 130 },
  ],
  empty: 'No webhook deliveries yet.',
  fill: 'webhooks listen --forward-to http://localhost:3000/hooks',
  elsewhere: 'webhooks deliveries',
  read: newestOf(async (client, query) => {
    const { deliveries: items, pagination } = await client.control('deliveries.list', { query });
    return { items, pagination };
  }, deliveryRow),
};

const deliveryTones: Record<DeliverySummary['state'], Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

function deliveryRow(delivery: DeliverySummary): Row {
  const { id, type, url, state, status, error, attempts, created_at, next_attempt_at, event_id, replay_of } = delivery;
  const outcome = status === null ? (error === null ? '…' : 'error') : String(status);
  // An attempt that is due is already in progress. The next time is shown for retries only.
  const next = attempts > 0 && next_attempt_at !== null ? localTimeOfDay(next_attempt_at) : '';
  return {
    id,
    cells: [
      type,
      url,
      { text: outcome, tone: deliveryTones[state] },
      `×${attempts}`,
      next,
      localTimeOfDay(created_at),
      id,
    ],
    words: wordsOf(id, event_id, type, url, state, status, error, replay_of),
    open: (client) => describeDelivery(client, id),
    copies: async () => [{ name: 'URL', value: url }],
    replay: { delivery_id: id },
  };
}

const smtp: Pane = {
  title: 'SMTP',
  item: 'SMTP session',
  columns: [
    { title: 'CLIENT', width: 10, grow: 1, sort: true },
    { title: 'MESSAGES', width: 8, sort: true },
    { title: 'END', width: 14, grow: 1, sort: true },
    { title: 'ERROR', width: 8, grow: 2, from: 56, sort: true },
    { title: 'TIME', width: 8, from: 48 },
  ],
  empty: 'No SMTP sessions yet.',
  elsewhere: 'smtp sessions',
  async read(client, limit) {
    const { sessions } = await client.control('smtp-sessions.list', { query: { limit } });
    return { rows: sessions.map(sessionRow), total: undefined, more: sessions.length === limit };
  },
};

function sessionRow(session: SmtpSession): Row {
  const { id, created_at, helo, error, failed, accepted } = session;
  const end = endOf(session);
  return {
    id,
    cells: [
      helo ?? addressOf(session),
      String(accepted),
      { text: failed ? 'failed' : end, tone: failed ? 'bad' : 'plain' },
      error ?? '',
      localTimeOfDay(created_at),
    ],
    words: wordsOf(id, clientOf(session), end, failed ? 'failed' : '', error, addressesOf(session)),
    open: async (client) => printedOut(describeSession(await client.control('smtp-sessions.get', { params: { id } }))),
  };
}

function addressesOf({ transactions }: SmtpSession): string {
  return transactions.flatMap(({ mail_from, rcpt_to }) => [mail_from, ...rcpt_to]).join(' ');
}

/** More would not fit the list of what can be copied. */
const LINKS_MAX = 20;
const CODES_MAX = 5;

/** Returns the one-time codes and the links of an email. */
async function copiesOfEmail(client: Client, id: string): Promise<Copy[]> {
  const params = { id };
  const { codes, links } = await client.control('emails.inspect', { params });
  return [
    ...codes.slice(0, CODES_MAX).map(({ value }) => ({ name: 'code', value })),
    ...links.slice(0, LINKS_MAX).map(({ href }) => ({ name: 'link', value: href })),
  ];
}

const mails: Pane = {
  title: 'Emails',
  item: 'Email',
  columns: [
    { title: 'SUBJECT', width: 8, grow: 3, sort: true },
    { title: 'TO', width: 8, grow: 2, sort: true },
    { title: 'STATUS', width: 10, sort: true },
    { title: 'TIME', width: 8, from: 48 },
    { title: 'ID', width: 30, from: 130 },
  ],
  empty: 'No emails yet.',
  fill: 'emails send --to delivered@simulator.test',
  elsewhere: 'emails list',
  read: newestOf(async (client, query) => {
    const { emails: items, pagination } = await client.call('emails.list', { query });
    return { items, pagination };
  }, emailRow),
};

const emailTones: Record<EmailStatus, Tone> = {
  scheduled: 'waiting',
  sent: 'plain',
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  cancelled: 'plain',
};

function emailRow({ id, status, to, from, subject, created_at }: EmailSummary): Row {
  return {
    id,
    email: { id, about: oneLine(`${to}, “${subject}”`) },
    cells: [subject, to, { text: status, tone: emailTones[status] }, localTimeOfDay(created_at), id],
    words: wordsOf(id, status, to, from, subject),
    open: (client, command) => describeEmailDetail(client, id, command),
    copies: (client) => copiesOfEmail(client, id),
  };
}

const requests: Pane = {
  title: 'Requests',
  item: 'Request',
  columns: [
    { title: 'METHOD', width: 6, sort: true },
    { title: 'PATH', width: 10, grow: 3, sort: true },
    { title: 'STATUS', width: 6, sort: true },
    { title: 'NOTES', width: 8, grow: 2, from: 64, sort: true },
    { title: 'MS', width: 7, from: 56, sort: true },
    { title: 'TIME', width: 8, from: 44 },
  ],
  empty: 'No requests yet.',
  elsewhere: 'logs list',
  async read(client, limit) {
    const { requests: found } = await client.control('requests.list', { query: { limit } });
    return { rows: found.map(requestRow), total: undefined, more: found.length === limit };
  },
};

function requestRow(request: LoggedRequest): Row {
  const { request_id, created_at, method, path, status, ms, key_id, user_agent, error_details, warnings } = request;
  const notes = notesOf(request);
  const fields = error_details.map((detail) => oneLine(warningText(detail)));
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'waiting' : 'plain';
  return {
    id: request_id,
    cells: [method, path, { text: String(status), tone }, notes, ms.toFixed(1), localTimeOfDay(created_at)],
    words: wordsOf(request_id, method, path, status, key_id, notes),
    open: async () =>
      printedOut([
        fieldLines({
          request: `${method} ${path}`,
          status,
          error: errorText(request),
          duration: `${ms} ms`,
          at: localTime(created_at),
          key: key_id ?? 'no valid key',
          client: user_agent,
          id: request_id,
        }),
        section('Invalid fields', fields).map((line) => [line, '\n']),
        section('Warnings', warningLines(warnings)).map((line) => [line, '\n']),
      ]),
  };
}

export const events: Pane = {
  title: 'Events',
  item: 'Event',
  columns: [
    { title: 'EVENT', width: 17, sort: true },
    { title: 'ABOUT', width: 8, grow: 1, sort: true },
    { title: 'TIME', width: 8, from: 44 },
    { title: 'ID', width: 30, from: 110 },
  ],
  empty: 'No events yet.',
  elsewhere: 'emails inspect ID',
  async read(client, limit) {
    const { last_event } = await client.control('info', {});
    const after = Math.max(0, last_event - limit);
    const found = last_event === 0 ? [] : await eventsBetween(client, after, last_event);
    return { rows: found.reverse().map(eventRow), total: undefined, more: after > 0 };
  },
};

/** Returns the events after one sequence number up to another, oldest first; fewer when some are deleted meanwhile. */
async function eventsBetween(client: Client, after: number, last: number): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  try {
    for await (const event of readEventsSoFar(client.stream('events.stream', { query: { after: String(after) } }))) {
      found.push(event);
      if (Number(event.id) >= last) break;
    }
    return found;
  } catch (error) {
    const oldest = error instanceof ApiFailure && error.status === EVENTS_REMOVED && error.details?.[0]?.minimum;
    if (!oldest) throw error;
    return oldest >= last ? [] : eventsBetween(client, oldest, last);
  }
}

const bad = new Set<string>(['email.bounced', 'email.complained', 'email.dropped']);
const good = new Set<string>(['email.delivered', 'email.opened', 'email.clicked']);

function eventRow({ data }: ServerSentEvent): Row {
  const event = JSON.parse(data) as EventEnvelope;
  const { id, type, created_at } = event;
  const tone: Tone = bad.has(type) ? 'bad' : good.has(type) ? 'good' : 'plain';
  return {
    id,
    cells: [{ text: type, tone }, subjectOf(event.data), localTimeOfDay(created_at), id],
    words: wordsOf(data),
    open: async () => safeText(indented(data)),
    replay: { event_id: id },
  };
}

/** Returns what an event is about: its recipient, or the name of another resource. */
function subjectOf(data: Record<string, unknown>): string {
  const values = ['to', 'name', 'domain', 'subject', 'email_id', 'template_id'].map((field) => data[field]);
  return String(values.find((value) => typeof value === 'string' && value !== '') ?? '');
}

/** The panes in the order of the tab key. */
export const paneNames = ['mails', 'events', 'deliveries', 'requests', 'smtp'] as const;
export type PaneName = (typeof paneNames)[number];

export const panes: Record<PaneName, Pane> = { mails, events, deliveries, requests, smtp };

/** Returns a record with an entry for every pane. */
export function eachPane<Value>(make: (name: PaneName) => Value): Record<PaneName, Value> {
  return Object.fromEntries(paneNames.map((name) => [name, make(name)])) as Record<PaneName, Value>;
}

/** Describes one delivery: every attempt with its request and response, the last one first. */
export async function describeDelivery(client: Client, id: string): Promise<string> {
  const delivery = await client.control('deliveries.get', { params: { id } });
  const { event_id, type, url, state, replay_of, payload, log } = delivery;
  const attempts = log.toReversed().map((attempt, index) => {
    const head = `Attempt ${attempt.attempt}/${attempt.max_attempts} at ${localTimeOfDay(attempt.at)}, ${attempt.duration_ms} ms:`;
    return `${head}\n${attemptText(attempt, { newest: index === 0 })}`;
  });
  const sent =
    log.length > 0 ? attempts.join('\n\n') : `No attempt has finished yet.\n\n${safeText(indented(payload))}`;
  return printedOut([
    fieldLines({ id, state, event: `${type}  ${event_id}`, url, 'replay of': replay_of }),
    '\n',
    sent,
  ]);
}
