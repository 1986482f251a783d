import type { DeliverySummary } from '../../../contract/control/webhooks.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { readInstant } from '../../../contract/vocabulary/instants.js';
import { omitUndefined } from '../../../contract/vocabulary/json.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { checkWebhookHost } from '../../account/webhook-url.js';
import { timestamp, timestampOrNull } from '../../context.js';
import type { CompletedAttempt } from '../../delivery/attempt.js';
import { enqueueDelivery, isFor, workspaceOf } from '../../delivery/dispatcher.js';
import { reportOf } from '../../delivery/ephemeral-subscriptions.js';
import type { DeliveryFilter, DeliveryHead } from '../../model/deliveries.js';
import type { StoredEvent } from '../../model/events.js';
import type { WebhookRecord } from '../../model/resources.js';
import { paginate } from '../../reads.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../../streams/server-sent-events.js';
import type { Transaction } from '../../transaction.js';
import { unknownEmail } from '../service/emails.js';
import { unknownWebhook } from '../service/webhooks.js';
import type { CallWith, ControlCall, ControlHandler, ControlHandlers } from './context.js';
import { webhookSecretFor } from './webhook-secret.js';

/** Implements the control API's endpoints that list and replay webhook deliveries. */

const listDeliveries: ControlHandler<'deliveries.list'> = async ({ query }, { store }) => {
  const { state, event, webhook, email, replayed } = query;
  const filter: DeliveryFilter = omitUndefined({ state, event, webhookId: webhook, emailId: email, replayed });
  const { items, total } = await store.read.deliveries.list(filter, query);
  if (total === 0 && webhook !== undefined && !(await store.read.webhooks.find(webhook))) throw unknownWebhook(webhook);
  if (total === 0 && email !== undefined && !(await store.read.emails.state(email))) throw unknownEmail(email);
  return { deliveries: items.map(present), pagination: paginate(query, total) };
};

const getDelivery: ControlHandler<'deliveries.get', 'retrySchedule'> = async ({ params: { id } }, context) => {
  const { store, retrySchedule } = context;
  const { delivery, event } = await findDelivery(store.read, id);
  const attempts = await store.read.deliveries.attempts(id);
  const last = attempts.at(-1) ?? null;
  return {
    ...present({ ...delivery, event, last }),
    payload: event.payload,
    log: attempts.map((attempt) => reportOf({ attempt, delivery, event, maxAttempts: retrySchedule.length + 1 })),
  };
};

const streamDeliveries: ControlHandler<'deliveries.stream', 'feed'> = async (_, { clock, signal, feed, key }) => {
  async function* body() {
    for await (const attempted of feed.follow({ signal, idle: heartbeat(clock) })) {
      if (!attempted) yield serverSentComment('ready');
      else if (key.workspace === null || key.workspace === attempted.webhook.workspace)
        yield serverSentEvent(JSON.stringify(reportOf(attempted)), { event: 'attempt' });
    }
  }
  return eventStream(body(), signal);
};

/**
 * Replays events: sends the same bytes in new deliveries, each with its own attempts. Returns when each delivery has
 * had its first attempt.
 */
const replayDeliveries: ControlHandler<'deliveries.replay', 'describe' | 'feed' | 'runDueAttempts'> = async (
  { body },
  context,
) => {
  if (body.to !== undefined) checkWebhookHost(body.to, context, 'to');
  const wanted = new Set<string>();
  const first = new Map<string, CompletedAttempt>();
  let done = () => {};
  const unsubscribe = context.feed.subscribe((attempted) => {
    if (attempted.attempt.attempt !== 1 || first.has(attempted.delivery.id)) return;
    first.set(attempted.delivery.id, attempted);
    if (wanted.size > 0 && [...wanted].every((id) => first.has(id))) done();
  });
  try {
    const attempted = new Promise<void>((resolve) => {
      done = resolve;
      context.signal.addEventListener('abort', () => resolve());
    });
    const ids = await context.store.write(async (tx) => {
      const replays = await findReplays(tx, body, context);
      if (replays.length === 0) throw new ServiceError('conflict', nothingToReplay(body), undefined, DELIVERIES_HINT);
      const made: string[] = [];
      for (const { webhook, event, replayOf } of replays) {
        const to = body.to === undefined ? webhook : await temporaryWebhook(tx, context, webhook, body.to);
        made.push(await enqueueDelivery(tx, context, { webhook: to, event, replayOf }));
      }
      return made;
    });
    for (const id of ids) wanted.add(id);
    // Waits for both, because a delivery ends without an attempt if its subscription is deleted meanwhile.
    const ran = context.runDueAttempts();
    ran.catch(() => {});
    if (![...wanted].every((id) => first.has(id))) await Promise.race([attempted, ran]);
    return { attempts: ids.flatMap((id) => first.get(id) ?? []).map(reportOf) };
  } finally {
    unsubscribe();
  }
};

interface Replay {
  webhook: WebhookRecord;
  event: StoredEvent;
  replayOf: string | null;
}

type ReplayBody = Parameters<typeof replayDeliveries>[0]['body'];

/** Finds the events to replay and the subscription for each, oldest first. */
async function findReplays(tx: Transaction, body: ReplayBody, context: CallWith<'describe'>): Promise<Replay[]> {
  if (body.delivery_id !== undefined) {
    const { event, webhook, delivery } = await findDelivery(tx, body.delivery_id);
    if (!webhook?.active && body.to === undefined) {
      throw webhook
        ? new ServiceError('conflict', `Webhook ${webhook.id} is inactive.`, undefined, SWITCHED_OFF_HINT)
        : new ServiceError('conflict', `Webhook ${delivery.webhookId} no longer exists.`, undefined, ENDED_HINT);
    }
    return [{ event, webhook: webhook ?? anonymousWebhook(context), replayOf: body.delivery_id }];
  }
  const since = body.since === undefined ? undefined : readInstant(body.since)?.at;
  if (body.failed) {
    // A replay that failed, too, takes the place of the delivery that it replays.
    const filter = { state: 'failed', replayed: false, ...omitUndefined({ since }) } as const;
    const { items } = await tx.deliveries.list(filter, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    const found = await Promise.all(items.reverse().map(({ id }) => tx.deliveries.find(id)));
    return found.flatMap((each) =>
      each && (each.webhook?.active || body.to !== undefined)
        ? [{ event: each.event, webhook: each.webhook ?? anonymousWebhook(context), replayOf: each.delivery.id }]
        : [],
    );
  }
  const events = body.event_id === undefined ? await tx.events.since(since ?? 0) : [await findEvent(tx, body.event_id)];
  const webhooks = (await tx.webhooks.list()).filter(({ active }) => active).reverse();
  const found: Replay[] = [];
  for (const event of events) {
    const fitting = webhooks.filter((webhook) => isFor(webhook, event));
    const owner = fitting.some(({ workspace }) => workspace !== null) ? await workspaceOf(tx, event) : null;
    const subscribed = fitting.filter(({ workspace }) => workspace === null || workspace === owner);
    // With its own URL, an event is sent there once and needs no subscription.
    const to = body.to === undefined ? subscribed : [subscribed[0] ?? anonymousWebhook(context)];
    found.push(...to.map((webhook) => ({ event, webhook, replayOf: null })));
  }
  return found;
}

/** Creates a subscription without events, for one delivery to another URL, signed with the secret of `like`. */
async function temporaryWebhook(
  tx: Transaction,
  { clock, ids }: Pick<ControlCall, 'clock' | 'ids'>,
  like: WebhookRecord,
  url: string,
): Promise<WebhookRecord> {
  const now = clock.now();
  const id = ids.next('whk', now);
  // With an old cursor, the dispatcher would read the whole log again.
  const sinceSeq = await tx.events.lastSeq();
  const own = { events: [], active: true, ephemeral: true, sinceSeq, createdAt: now, updatedAt: now };
  const webhook = { ...like, id, url, ...own };
  await tx.webhooks.insert(webhook);
  return webhook;
}

/** Stands for a subscription that is missing or was deleted. Its requests have the secret of `webhooks listen`. */
function anonymousWebhook(context: CallWith<'describe'>): WebhookRecord {
  const now = context.clock.now();
  return {
    id: '',
    url: '',
    events: [],
    secret: webhookSecretFor(context),
    active: true,
    ephemeral: true,
    recipientPattern: null,
    headers: {},
    workspace: null,
    sinceSeq: 0,
    createdAt: now,
    updatedAt: now,
  };
}

const DELIVERIES_HINT = 'Run "svc webhooks deliveries" to see all deliveries. To send one again, pass its ID.';
const SWITCHED_OFF_HINT = 'Activate it with "svc webhooks update ID --active", or pass a URL with "to".';

const ENDED_HINT =
  'It was deleted, or its "svc webhooks listen" has ended. Pass a URL with "to": svc webhooks replay ID --to URL';

function nothingToReplay({ failed, event_id }: ReplayBody): string {
  if (failed) return 'No failed delivery is left to replay: none failed, or each was replayed.';
  return event_id === undefined
    ? 'No webhook subscribes to any event since then.'
    : 'No active webhook subscribes to this event. Pass a URL with "to".';
}

async function findDelivery(reads: Pick<Transaction, 'deliveries'> | ControlCall['store']['read'], id: string) {
  const found = await reads.deliveries.find(id);
  if (found) return found;
  throw new ServiceError('not_found', `Delivery ${JSON.stringify(shortened(id))} not found.`);
}

async function findEvent(tx: Transaction, id: string): Promise<StoredEvent> {
  const event = await tx.events.find(id);
  if (event) return event;
  throw new ServiceError('not_found', `Event ${JSON.stringify(shortened(id))} not found.`);
}

function present(delivery: DeliveryHead): DeliverySummary {
  const { event, last } = delivery;
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: event.id,
    event_seq: delivery.eventSeq,
    type: event.type,
    url: delivery.url,
    state: delivery.state,
    attempts: delivery.attempts,
    status: last?.status ?? null,
    error: last?.error ?? null,
    duration_ms: last?.durationMs ?? null,
    created_at: timestamp(delivery.createdAt),
    next_attempt_at: timestampOrNull(delivery.nextAttemptAt),
    replay_of: delivery.replayOf,
  };
}

export const deliveryHandlers = {
  'deliveries.list': listDeliveries,
  'deliveries.get': getDelivery,
  'deliveries.stream': streamDeliveries,
  'deliveries.replay': replayDeliveries,
} satisfies Partial<ControlHandlers>;
