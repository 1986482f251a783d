import { SETTLE_MS } from '../../../contract/control/server.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { type EventType, eventTypes } from '../../../contract/vocabulary/event-types.js';
import { type Core, timestamp } from '../../context.js';
import type { AttemptFeed } from '../../delivery/ephemeral-subscriptions.js';
import type { StoredEvent } from '../../model/events.js';
import type { WebhookRecord } from '../../model/resources.js';
import { type CompiledQuery, compileText } from '../../search/compile-query.js';
import { StoreUnavailableError, UnsupportedStoreError } from '../../store.js';
import { tailEvents } from '../../streams/event-tail.js';
import {
  eventStream,
  heartbeat,
  serverSentComment,
  serverSentEvent,
  type WaitOptions,
} from '../../streams/server-sent-events.js';
import type { CallWith, ControlCall, ControlHandler, ControlHandlers } from './context.js';
import { webhookSecretFor } from './webhook-secret.js';
import { refuseScoped } from './workspaces.js';

/** Implements the control API's endpoints for the server itself. */

const health: ControlHandler<'health', 'controlEnabled' | 'start'> = async (_, { start, controlEnabled, clock }) => ({
  status: 'ok',
  instance: start.instance,
  control: controlEnabled,
  now: timestamp(clock.now()),
});

const summary: ControlHandler<'summary'> = async (_, { store }) => ({
  emails: Object.fromEntries(await store.read.emails.countByStatus()),
  unread: await store.read.emails.countUnread(),
  failing_webhooks: await store.read.deliveries.countFailingWebhooks(),
});

const info: ControlHandler<'info', 'describe'> = async (_, context) => {
  const { describe, clock, store, key } = context;
  return {
    ...describe(),
    webhook_secret: webhookSecretFor(context),
    workspace: key.workspace,
    now: timestamp(clock.now()),
    last_event: await store.read.events.lastSeq(),
    unindexed_emails: await store.read.emails.waitingForIndex(),
  };
};

/** Interval of checks while messages cannot be parsed. */
const RETRY_MS = 20;

const settle: ControlHandler<'settle', 'deliverPending' | 'runDue'> = async ({ body }, context) => {
  const { clock } = context;
  const until = clock.systemNow() + (body.timeout ?? SETTLE_MS);
  let cancel = () => {};
  const timeOut = new Promise<false>((resolve) => {
    cancel = clock.after(Math.max(0, until - clock.systemNow()), () => resolve(false));
    context.signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  try {
    // Parsing in a worker is not ended early, only the wait for it.
    return { settled: await Promise.race([untilNothingIsPending(context, until), timeOut]) };
  } finally {
    cancel();
  }
};

async function untilNothingIsPending(context: CallWith<'deliverPending' | 'runDue'>, until: number): Promise<boolean> {
  const { store, runDue, signal, clock } = context;
  for (;;) {
    // Parses messages first: their first steps are pending afterwards.
    if (!(await runDue(until))) return false;
    const isParsed = (await store.read.received.unparsedRange()) === undefined;
    if (isParsed && (await store.read.emails.nextDue()) === null) {
      return true;
    }
    if (signal.aborted || clock.systemNow() >= until) return false;
    if (isParsed) await context.deliverPending();
    // No worker can be started now. Their jobs try again.
    else await clock.sleep(RETRY_MS);
  }
}

/** Implements the control API's endpoint that makes the database smaller. */

const compact: ControlHandler<'compact'> = async ({ body: { full, max_bytes } }, { store, key }) => {
  refuseScoped(key, 'compact the database');
  const before = await store.size();
  await store.compact({ full, maxBytes: max_bytes ?? before.bytes }).catch(explain);
  const { bytes, free } = await store.size();
  return { size_before: before.bytes, size: bytes, free };
};

const FULL_HINT = 'Pass full to rewrite it. All other requests wait meanwhile.';
const SPACE_HINT =
  'Nothing was lost. Free some disk space and try again. A full rewrite needs twice the size of the database, partly in ' +
  'the directory for temporary files.';

/** Throws the error. One that the caller can fix becomes a response with a hint. */
function explain(error: unknown): never {
  if (error instanceof UnsupportedStoreError) throw new ServiceError('conflict', error.message, undefined, FULL_HINT);
  if (error instanceof StoreUnavailableError) {
    const hint = error.lastResort === undefined ? error.advice : SPACE_HINT;
    throw new ServiceError('internal', `${error.message}.`, undefined, hint);
  }
  throw error;
}

/** Maximum number of times that the content of an email is searched. Each has a time limit. */
const TRIES = 5;

/**
 * Returns whether an email matches a query. Has its content searched first if the result depends on it. Returns false
 * for an unknown email, if the content cannot be searched now, and if the signal fires.
 */
export async function matchesWhenSearched(
  { store, extractPending }: Pick<Core, 'store' | 'extractPending'>,
  query: CompiledQuery,
  emailId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 0; !signal.aborted; tries++) {
    const [document] = await store.read.emails.documents([emailId]);
    const result = document ? query.decide(document) : false;
    if (result !== undefined) return result;
    if (tries === TRIES) break;
    await extractPending(query.needs, [emailId]);
  }
  return false;
}

/** Wakes a stream when webhook attempts have ended, as well as for its heartbeat. Several attempts are one notice. */
class AttemptNotices {
  #isPending = false;
  #isWaking = false;
  #wake: (() => void) | undefined;
  readonly close: () => void;

  constructor(
    feed: AttemptFeed,
    isOwn: (webhook: WebhookRecord) => boolean,
    private readonly heartbeat: WaitOptions['idle'],
  ) {
    this.close = feed.subscribe(({ webhook }) => {
      if (!isOwn(webhook)) return;
      this.#isPending = true;
      this.#wake?.();
    });
  }

  /** The idle period of the stream. */
  readonly idle: WaitOptions['idle'] = (wake) => {
    const cancel = this.heartbeat(wake);
    this.#wake = () => {
      cancel();
      this.#isWaking = true;
      wake();
    };
    if (this.#isPending) this.#wake();
    return () => {
      cancel();
      this.#isWaking = false;
      this.#wake = undefined;
    };
  };

  /** Returns whether attempts have woken the stream, rather than the heartbeat. */
  take(): boolean {
    const isWaking = this.#isWaking;
    this.#isWaking = false;
    if (isWaking) this.#isPending = false;
    return isWaking;
  }
}

/**
 * Checks that no event after a cursor was removed, except with emails that someone deleted.
 * @throws ServiceError
 */
async function requireKept(after: number, { store }: Pick<ControlCall, 'store'>): Promise<void> {
  const oldest = await store.read.events.removedUpTo();
  if (after >= oldest) return;
  const message = `Events after ${after} were removed by the server's limits. The oldest cursor is ${oldest}.`;
  throw new ServiceError('gone', message, [{ path: 'after', message: `must be at least ${oldest}`, minimum: oldest }]);
}

const streamEvents: ControlHandler<'events.stream', 'feed'> = async ({ query }, context) => {
  const { store, clock, signal, key } = context;
  const after = query.after ?? (await store.read.events.lastSeq());
  if (query.after) await requireKept(query.after, context);
  const types = new Set<EventType>(query.types ?? eventTypes);
  const search =
    query.search === undefined
      ? undefined
      : await compileText({ path: 'search', in: 'parameter' }, query.search, clock.now());
  const matches = async ({ type, emailId }: StoredEvent) => {
    if (!types.has(type) || (query.email_id && query.email_id !== emailId)) return false;
    if (search === undefined && key.workspace !== null) {
      return emailId !== null && (await store.read.emails.findWithoutBodies(emailId)) !== undefined;
    }
    return search === undefined || (emailId !== null && (await matchesWhenSearched(context, search, emailId, signal)));
  };
  async function* body() {
    const isOwn = (webhook: WebhookRecord) => key.workspace === null || key.workspace === webhook.workspace;
    const notices = query.attempts ? new AttemptNotices(context.feed, isOwn, heartbeat(clock)) : undefined;
    try {
      for await (const event of tailEvents(store, after, { signal, idle: notices?.idle ?? heartbeat(clock) })) {
        if (!event) yield notices?.take() ? serverSentEvent('{}', { event: 'attempts' }) : serverSentComment('ready');
        else if (await matches(event)) yield serverSentEvent(event.payload, { id: event.seq, event: event.type });
      }
    } finally {
      notices?.close();
    }
  }
  return eventStream(body(), signal);
};

export const serverHandlers = {
  health,
  summary,
  info,
  settle,
  compact,
  'events.stream': streamEvents,
} satisfies Partial<ControlHandlers>;
