import type { Client } from '../../client/client.js';
import { readServerSentEvents } from '../../client/event-source.js';
import { unlessDeleted } from '../../client/failures.js';
import type { WebhookEvents } from '../../client/operations.js';
import { CALL_MS } from '../../client/time-limit.js';
import type { AttemptReport, DeliverySummary } from '../../contract/control/webhooks.js';
import { formatDuration } from '../../contract/vocabulary/durations.js';
import type { Delivery, DeliveryCriteria, Webhooks } from '../api/server.js';
import type { Connection } from '../connection/connection.js';
import { checkNames, millisecondsOf } from '../mail/criteria.js';
import { callSite, failingAt, WaitError } from '../mail/wait.js';

const WAIT_MS = 4_000;
/** Number of attempts that an error shows. */
const SHOWN = 5;
/** Number of deliveries of a page. */
const PAGE = 100;

/** Returns the function that waits for webhook deliveries. `start` returns the last event that does not count. */
export function createWebhooks(client: Client, connection: Connection, start: () => number): Webhooks {
  const webhooks: Webhooks = {
    waitFor: (type, criteria = {}) =>
      failingAt(callSite(webhooks.waitFor), () =>
        waitForDelivery({ client, connection, start: start() }, type, criteria),
      ),
  };
  return webhooks;
}

interface Service {
  client: Client;
  connection: Connection;
  /** Sequence number of the last event that does not count. */
  start: number;
}

async function waitForDelivery<Type extends keyof WebhookEvents>(
  { client, connection, start }: Service,
  type: Type,
  criteria: DeliveryCriteria,
): Promise<Delivery<Type>> {
  checkCriteria(criteria);
  const timeout = millisecondsOf(criteria.timeout ?? WAIT_MS, 'timeout');
  const stop = new AbortController();
  const timedOut = connection.sleep(timeout, stop.signal).then(
    () => stop.abort(),
    () => {},
  );
  const after = criteria.since?.event_seq ?? start;
  const others: AttemptReport[] = [];
  try {
    for await (const attempt of attempts(client, { type, after }, stop.signal)) {
      if (attempt.event_seq <= after) continue;
      if (attempt.type === type && matches(attempt, criteria) && isAccepted(attempt)) return deliveryOf(attempt);
      others.push(attempt);
    }
    throw await timeoutError(client, type, { timeout, others });
  } finally {
    stop.abort();
    await timedOut;
  }
}

const known = ['email', 'to', 'url', 'timeout', 'since'];

/** @throws TypeError when a criterion does not exist or has an invalid value. */
function checkCriteria(criteria: DeliveryCriteria): void {
  checkNames(criteria, { example: "{ to: 'ada@example.test' }", kind: 'a criterion of a delivery', known });
  const { to, url, email, since } = criteria;
  for (const [name, value] of Object.entries({ to, url })) {
    if (value !== undefined && typeof value !== 'string') throw new TypeError(`${name} must be a string.`);
  }
  if (email !== undefined && typeof email !== 'string' && typeof email?.id !== 'string') {
    throw new TypeError('email must be an email that the test received, or its ID.');
  }
  if (since !== undefined && typeof since?.event_seq !== 'number') {
    throw new TypeError('since must be a delivery, such as the result of an earlier waitFor().');
  }
}

/** Yields the attempts of later events of a type so far, newest first, then each new attempt of any event. */
async function* attempts(
  client: Client,
  { type, after }: { type: keyof WebhookEvents; after: number },
  signal: AbortSignal,
): AsyncGenerator<AttemptReport> {
  const chunks = client.stream('deliveries.stream', {}, signal);
  try {
    // The first bytes come when the stream has begun, so no attempt is missed between the list and the stream.
    await chunks.next();
    for await (const { id, attempts } of deliveriesAfter(client, { type, after }, signal)) {
      if (attempts === 0) continue;
      const delivery = await unlessDeleted(client.control('deliveries.get', { params: { id } }, { signal }));
      yield* delivery?.log.toReversed() ?? [];
    }
    for await (const { event, data } of readServerSentEvents(chunks)) {
      if (event === 'attempt') yield JSON.parse(data) as AttemptReport;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Yields the deliveries of later events of a type so far, newest first. */
async function* deliveriesAfter(
  client: Client,
  { type, after }: { type: keyof WebhookEvents; after: number },
  signal: AbortSignal,
): AsyncGenerator<DeliverySummary> {
  for (let offset = 0; ; offset += PAGE) {
    const query = { event: type, limit: PAGE, offset };
    const { deliveries, pagination } = await client.control('deliveries.list', { query }, { signal });
    yield* deliveries.filter(({ event_seq }) => event_seq > after);
    // A replay of an earlier event is listed among later ones.
    if (deliveries.some(({ event_seq, replay_of }) => event_seq <= after && replay_of === null)) return;
    if (!pagination.has_more) return;
  }
}

function matches({ payload, url: attemptUrl }: AttemptReport, { email, to, url }: DeliveryCriteria): boolean {
  const { data } = JSON.parse(payload) as { data: { email_id?: string; to?: string } };
  const emailId = typeof email === 'string' ? email : email?.id;
  return (
    (emailId === undefined || data.email_id === emailId) &&
    (to === undefined || data.to?.toLowerCase() === to.toLowerCase()) &&
    (url === undefined || attemptUrl.includes(url))
  );
}

function isAccepted({ status }: AttemptReport): boolean {
  return status !== null && status >= 200 && status <= 299;
}

function deliveryOf<Type extends keyof WebhookEvents>(attempt: AttemptReport): Delivery<Type> {
  const { delivery_id, webhook_id, url, attempt: attempts, status, event_seq, payload } = attempt;
  const event = JSON.parse(payload) as WebhookEvents[Type];
  return { id: delivery_id, webhook_id, url, attempts, status: status ?? 0, event_seq, event };
}

async function timeoutError(
  client: Client,
  type: keyof WebhookEvents,
  { timeout, others }: { timeout: number; others: readonly AttemptReport[] },
): Promise<WaitError> {
  const isOfEmail = type.startsWith('email.');
  const lines = [`Timed out after ${formatDuration(timeout)} waiting for a receiver to accept ${type}.`, ''];
  if (others.length > 0) {
    lines.push('These attempts were made:', ...others.slice(-SHOWN).map(describeAttempt));
  } else {
    const { webhooks } = await client.control('webhooks.inspect', {}, { timeoutMs: CALL_MS });
    const subscribed = webhooks.filter(({ events, active }) => active && events.includes(type));
    if (subscribed.length > 0) {
      lines.push(`No attempt was made. Subscribed: ${subscribed.map(({ url }) => url).join(', ')}`);
    } else {
      lines.push(
        `No webhook is subscribed to ${type}. Create one with svc.client.call('webhooks.create', …)${isOfEmail ? ',' : '.'}`,
      );
      if (isOfEmail) lines.push(`or wait for the event itself with svc.inbox(address).waitFor({ event: '${type}' }).`);
    }
  }
  return new WaitError(lines.join('\n'), isOfEmail ? `event:${type}` : '', []);
}

function describeAttempt({ type, url, attempt, status, error, payload }: AttemptReport): string {
  const { data } = JSON.parse(payload) as { data: { to?: string } };
  const about = data.to === undefined ? '' : ` for ${data.to}`;
  return `  ${type}${about} to ${url}: attempt ${attempt}, ${status === null ? error : `status ${status}`}`;
}
