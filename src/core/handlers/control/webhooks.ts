import { invalidField, ServiceError } from '../../../contract/vocabulary/errors.js';
import { type EventType, eventTypes } from '../../../contract/vocabulary/event-types.js';
import { HEADER_LINE_FORM, readHeaderLine } from '../../../contract/vocabulary/headers.js';
import { type EventData, events } from '../../../contract/webhook-events.js';
import { checkWebhookHost } from '../../account/webhook-url.js';
import { type EventDeps, timestamp } from '../../context.js';
import { reportOf, streamAttempts } from '../../delivery/ephemeral-subscriptions.js';
import { recordEvent } from '../../mail/event-log.js';
import { acceptedReply } from '../../mail/states/replies.js';
import type { EmailWithoutBodies } from '../../model/emails.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../../streams/server-sent-events.js';
import { unknownEmail } from '../service/emails.js';
import { presentWebhook } from '../service/webhooks.js';
import type { ControlCall, ControlHandler, ControlHandlers } from './context.js';
import { webhookSecretFor } from './webhook-secret.js';
import { refuseScoped } from './workspaces.js';

/**
 * Records an event with the caller's data. Adds it to the event log and does not change statuses, counters or
 * suppressions.
 */
export const triggerEvent: ControlHandler<'events.trigger'> = async ({ body }, context) => {
  const email =
    body.email_id === undefined ? undefined : await context.store.read.emails.findWithoutBodies(body.email_id);
  if (body.email_id !== undefined && !email) throw unknownEmail(body.email_id);
  const wanted = { ...sampleData(body.type, context, email), ...body.data };
  const read = events[body.type].strict().safeParse(wanted);
  if (!read.success) {
    const details = read.error.issues.map(({ path, message }) => ({ path: ['data', ...path].join('.'), message }));
    const [first] = details;
    throw new ServiceError('invalid', `Invalid data for ${body.type}: ${first?.path}: ${first?.message}`, details);
  }
  if (context.key.workspace !== null) await requireOwnEmail(body, wanted, context);
  const { id, seq, payload } = await context.store.write(async (tx) => {
    const data = read.data as EventData<EventType>;
    const hasEmail = 'email_id' in data && (await tx.emails.documents([data.email_id])).length > 0;
    return recordEvent(tx, context, body.type, data, hasEmail);
  });
  return { id, seq, type: body.type, payload };
};

type Body = Parameters<typeof triggerEvent>[0]['body'];

/**
 * Checks that the event of a workspace's key is about an email of the workspace. Its webhooks would not get others.
 * @throws ServiceError
 */
async function requireOwnEmail(body: Body, wanted: object, { store, key }: ControlCall): Promise<void> {
  if (!('email_id' in wanted)) return refuseScoped(key, `trigger ${body.type}`);
  const named = body.data?.email_id ?? body.email_id;
  if (named === undefined) throw invalidField('email_id', 'is required with the key of a workspace');
  if (!(await store.read.emails.findWithoutBodies(String(named)))) throw unknownEmail(String(named));
}

/** Returns sample data of an event type. */
function sampleData(type: EventType, { clock, ids }: EventDeps, email: EmailWithoutBodies | undefined): object {
  const at = timestamp(clock.now());
  const email_id = email?.id ?? ids.next('msg', clock.now());
  const about = { email_id, to: email?.to.split(', ')[0] ?? 'ada@example.test' };
  const reader = {
    ip_address: '192.0.2.1',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
    location: { country: null, city: null },
  };
  const template = { template_id: ids.next('tpl', clock.now()), name: 'welcome' };
  const key = { api_key_id: ids.next('key', clock.now()), name: 'CI' };
  const samples: { [T in EventType]: EventData<T> } = {
    'email.sent': {
      ...about,
      from: email?.from ?? 'shop@example.test',
      subject: email?.subject ?? 'Hello',
      template_id: email?.templateId ?? null,
      tags: email?.tags ?? [],
    },
    'email.delivered': { ...about, delivered_at: at, smtp_response: acceptedReply(email_id) },
    'email.opened': { ...about, opened_at: at, ...reader },
    'email.clicked': { ...about, clicked_at: at, url: 'https://example.test/', ...reader },
    'email.bounced': {
      ...about,
      bounced_at: at,
      bounce_type: 'hard',
      reason: 'The mailbox does not exist',
      smtp_response: '550 5.1.1 The mailbox does not exist',
    },
    'email.complained': {
      ...about,
      complained_at: at,
      complaint_type: 'abuse',
      feedback_id: ids.next('fbl', clock.now()),
    },
    'email.dropped': { ...about, dropped_at: at, reason: 'suppressed' },
    'template.created': { ...template, created_at: at },
    'template.updated': { ...template, updated_at: at },
    'template.deleted': { ...template, deleted_at: at },
    'domain.verified': { domain: 'mail.example.test', verified_at: at },
    'api_key.created': { ...key, environment: 'test', created_at: at },
    'api_key.revoked': { ...key, revoked_at: at },
  };
  return samples[type];
}

/** Creates a temporary webhook and streams its attempts until the client disconnects. */
const listenToWebhooks: ControlHandler<
  'webhooks.listen',
  'catchUp' | 'describe' | 'feed' | 'start' | 'stopping'
> = async ({ query }, context) => {
  checkWebhookHost(query.forward_to, context, 'forward_to', 'bad_request');
  const { clock, signal, stopping, feed, start } = context;
  const options = { signal, stopping, start, idle: heartbeat(clock), onSubscribed: () => context.catchUp() };
  const request = {
    url: query.forward_to,
    events: query.events ?? [...eventTypes],
    recipientPattern: query.to ?? null,
    headers: Object.fromEntries((query.header ?? []).map(readHeader)),
    resume: query.resume,
    after: query.after,
    instance: query.instance,
    secret: webhookSecretFor(context),
  };
  async function* body() {
    for await (const item of streamAttempts(context, feed, request, options)) {
      if (!item) yield serverSentComment('idle');
      else if ('missed' in item) yield serverSentEvent(JSON.stringify({ count: item.missed }), { event: 'missed' });
      else if ('attempt' in item) yield serverSentEvent(JSON.stringify(reportOf(item)), { event: 'attempt' });
      else {
        const { id, url, secret, events } = item;
        yield serverSentEvent(JSON.stringify({ webhook_id: id, url, secret, events, instance: start.instance }), {
          event: 'ready',
        });
      }
    }
  }
  return eventStream(body(), signal);
};

function readHeader(line: string): [name: string, value: string] {
  const header = readHeaderLine(line);
  if (header) return header;
  const message = `must be ${HEADER_LINE_FORM}`;
  throw new ServiceError('bad_request', `header: ${message}`, [{ path: 'header', message }]);
}

/** Implements the control API's endpoint that lists webhooks with what the service does not report. */

const inspectWebhooks: ControlHandler<'webhooks.inspect'> = async (_, { store }) => ({
  webhooks: (await store.read.webhooks.list())
    .filter(({ ephemeral }) => !ephemeral)
    .map((webhook) => ({ ...presentWebhook(webhook), signed: webhook.secret !== null })),
});

export const webhookHandlers = {
  'events.trigger': triggerEvent,
  'webhooks.listen': listenToWebhooks,
  'webhooks.inspect': inspectWebhooks,
} satisfies Partial<ControlHandlers>;
