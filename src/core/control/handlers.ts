import type { Control, ControlOperationName, Inspection, ServerInfo } from '../../contract/control/endpoints.js';
import type { Handlers } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { type EventType, eventTypes } from '../../contract/webhook-events.js';
import { type CallContext, timestamp, timestampOrNull } from '../context.js';
import { type AttemptFeed, reportOf, streamAttempts } from '../delivery/ephemeral-subscriptions.js';
import type { ClockController } from '../jobs/clock-controller.js';
import { eventData } from '../mail/event-log.js';
import { mailLinks } from '../mail/links.js';
import { htmlFor, messageFor } from '../mail/recipient-message.js';
import type { Attachment, Email } from '../model.js';
import type { ComposeMessage, StateArchive } from '../ports.js';
import { unknownEmail } from '../resources/emails.js';
import type { SimulatedDns } from '../resources/simulated-dns.js';
import { tailEvents } from '../streams/event-tail.js';
import type { RequestLog } from '../streams/request-log.js';
import { heartbeat, serverSentComment, serverSentEvent } from '../streams/server-sent-events.js';
import type { Transaction } from '../transaction.js';
import { advanceClock, getClock, updateClock } from './clock.js';
import { getDelivery, listDeliveries, replayDeliveries, streamDeliveries } from './deliveries.js';
import { listRecords, publishRecord } from './dns-records.js';
import { listRequests, streamRequests } from './request-log.js';
import { createRule, deleteRule, listRules } from './rules.js';
import { simulateEmail } from './simulate-email.js';
import { exportState, importState, resetServer } from './state.js';
import { createSuppression, deleteSuppression, listSuppressions } from './suppressions.js';
import { triggerEvent } from './trigger-event.js';

/** The local server's own API. */

export interface ControlContext extends CallContext {
  /** Differs with every start of a server. */
  instance: string;
  /** The number of the last event before this start, or before everything was replaced or emptied. */
  lastEventBeforeStart(): number;
  /** Lines up the deliveries of a subscription that may not have got every event. */
  catchUp(): void;
  describe(): Omit<ServerInfo, 'now' | 'last_event'>;
  compose: ComposeMessage;
  feed: AttemptFeed;
  retrySchedule: readonly number[];
  /** Runs the jobs that are due, and waits for them. */
  runDue(): Promise<void>;
  clockController: ClockController;
  requestLog: RequestLog;
  archive: StateArchive;
  /** Makes the server's own key valid. */
  ensureServerKey(tx: Transaction): Promise<void>;
  /** Whether there is more of this API than `health`. */
  controlEnabled: boolean;
  /** Null when records are looked up in a real DNS. */
  simulatedDns: SimulatedDns | null;
  /** Fires when the server stops. */
  stopping: AbortSignal;
  /** Fires when the caller has gone, or the server stops. */
  signal: AbortSignal;
}

type ControlHandlers = Handlers<Control, ControlContext>;
export type ControlHandler<Name extends ControlOperationName> = ControlHandlers[Name];
type Handler<Name extends ControlOperationName> = ControlHandlers[Name];

const health: Handler<'health'> = async (_, { instance, controlEnabled, clock }) => ({
  status: 'ok',
  instance,
  control: controlEnabled,
  now: timestamp(clock.now()),
});

const info: Handler<'info'> = async (_, { describe, clock, store }) => ({
  ...describe(),
  now: timestamp(clock.now()),
  last_event: await store.read.events.lastSeq(),
});

const streamEvents: Handler<'events.stream'> = async ({ query }, { store, clock, signal }) => {
  const after = query.after ?? (await store.read.events.lastSeq());
  const types = new Set<EventType>(query.types ?? eventTypes);
  async function* body() {
    for await (const event of tailEvents(store, after, { signal, idle: heartbeat(clock) })) {
      if (!event) yield serverSentComment('ready');
      else if (types.has(event.type) && (!query.email_id || query.email_id === event.emailId)) {
        yield serverSentEvent(event.payload, { id: event.seq, event: event.type });
      }
    }
  }
  return { body: body() };
};

const inspectEmail: Handler<'emails.inspect'> = async ({ params: { id } }, context) => {
  const { store, parsePending } = context;
  await parsePending();
  const email = await findEmail(store, id);
  const [recipients, attachments, received, events, warnings, links, parsing] = await Promise.all([
    store.read.emails.recipients(id),
    store.read.emails.attachments(id),
    store.read.received.envelopeOf(id),
    store.read.events.ofEmail(id),
    store.read.emails.warnings(id),
    mailLinks(context, email),
    store.read.emails.isPlaceholder(id),
  ]);
  return {
    id,
    origin: email.origin,
    status: email.status,
    from: email.from,
    reply_to: email.replyTo,
    subject: email.subject,
    scheduled_at: timestampOrNull(email.scheduledAt),
    recipients: recipients.map(({ kind, address, mailbox, status }) => ({ kind, address, mailbox, status })),
    attachments: attachments.map(({ position, filename, contentType, contentId, disposition, size }) => ({
      index: position,
      filename,
      content_type: contentType,
      content_id: contentId,
      disposition,
      size,
    })),
    envelope: received ? { mail_from: received.mailFrom, rcpt_to: received.recipients, size: received.size } : null,
    parse_error: email.parseError,
    parsing,
    warnings: [...warnings, ...links.warnings],
    links: links.urls,
    events: events.map((event) => ({
      seq: event.seq,
      id: event.id,
      type: event.type,
      created_at: timestamp(event.createdAt),
      data: eventData(event),
    })),
  } satisfies Inspection;
};

const rawEmail: Handler<'emails.raw'> = async ({ params: { id }, query }, context) => {
  await context.parsePending();
  const body = await messageFor(await findEmail(context.store, id), query.recipient, context);
  return { body, filename: `${id}.eml` };
};

const deliveredHtml: Handler<'emails.delivered_html'> = async ({ params: { id }, query }, context) => {
  await context.parsePending();
  const html = await htmlFor(await findEmail(context.store, id), query.recipient, context);
  // As a download: shown here, a mail's scripts would run as this server's own.
  return { body: Buffer.from(html), filename: `${id}.html` };
};

const emailAttachment: Handler<'emails.attachment'> = async ({ params: { id, index } }, { store, parsePending }) => {
  await parsePending();
  await findEmail(store, id);
  const { content } = await findAttachment(store, id, index);
  // A name of svc's making: the one in the mail is its sender's to choose.
  return { body: content, filename: `${id}-${index}.bin` };
};

const listenToWebhooks: Handler<'webhooks.listen'> = async ({ query }, context) => {
  const { clock, signal, stopping, feed, describe, instance, lastEventBeforeStart } = context;
  const start = { instance, lastEvent: lastEventBeforeStart };
  const options = { signal, stopping, start, idle: heartbeat(clock), onSubscribed: () => context.catchUp() };
  const request = {
    url: query.forward_to,
    events: query.events ?? [...eventTypes],
    recipientPattern: query.to ?? null,
    headers: Object.fromEntries((query.header ?? []).map(readHeader)),
    resume: query.resume,
    after: query.after,
    instance: query.instance,
    secret: describe().webhook_secret,
  };
  async function* body() {
    for await (const item of streamAttempts(context, feed, request, options)) {
      if (!item) yield serverSentComment('idle');
      else if ('missed' in item) yield serverSentEvent(JSON.stringify({ count: item.missed }), { event: 'missed' });
      else if ('attempt' in item) yield serverSentEvent(JSON.stringify(reportOf(item)), { event: 'attempt' });
      else {
        const { id, url, secret, events } = item;
        yield serverSentEvent(JSON.stringify({ webhook_id: id, url, secret, events, instance }), { event: 'ready' });
      }
    }
  }
  return { body: body() };
};

export const controlHandlers: ControlHandlers = {
  health,
  info,
  'events.stream': streamEvents,
  'emails.inspect': inspectEmail,
  'emails.raw': rawEmail,
  'emails.delivered_html': deliveredHtml,
  'emails.attachment': emailAttachment,
  'webhooks.listen': listenToWebhooks,
  'emails.simulate': simulateEmail,
  'rules.list': listRules,
  'rules.create': createRule,
  'rules.delete': deleteRule,
  'suppressions.list': listSuppressions,
  'suppressions.create': createSuppression,
  'suppressions.delete': deleteSuppression,
  'clock.get': getClock,
  'clock.advance': advanceClock,
  'clock.update': updateClock,
  'events.trigger': triggerEvent,
  'deliveries.list': listDeliveries,
  'deliveries.get': getDelivery,
  'deliveries.stream': streamDeliveries,
  'deliveries.replay': replayDeliveries,
  'dns.list': listRecords,
  'dns.update': publishRecord,
  'requests.list': listRequests,
  'requests.stream': streamRequests,
  reset: resetServer,
  export: exportState,
  import: importState,
};

type EmailReads = Pick<CallContext['store'], 'read'>;

async function findEmail({ read }: EmailReads, id: string): Promise<Email> {
  const email = await read.emails.find(id);
  if (!email) throw unknownEmail(id);
  return email;
}

async function findAttachment({ read }: EmailReads, id: string, index: number): Promise<Attachment> {
  const attachment = await read.emails.attachment(id, index);
  if (!attachment) throw new ServiceError('not_found', `Attachment ${index} of email ${id} not found.`);
  return attachment;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (HEADER_NAME.test(name)) return [name, line.slice(colon + 1).replace(/^[ \t]+/, '')];
  const message = 'must be "Name: value"';
  throw new ServiceError('bad_request', `header: ${message}`, [{ path: 'header', message }]);
}
