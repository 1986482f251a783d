import { WEBHOOK_RETRY_MS, WEBHOOK_TIMEOUT_MS } from '../contract/vocabulary/limits.js';
import type { Retention } from '../contract/vocabulary/retention.js';
import type { Core } from '../core/context.js';
import { attemptKind, type DeliveryDeps, KeyedQueue } from '../core/delivery/attempt.js';
import { Dispatcher } from '../core/delivery/dispatcher.js';
import { AttemptFeed, publishForeignAttempts } from '../core/delivery/ephemeral-subscriptions.js';
import { faultyPost } from '../core/faults/faults.js';
import { ClockController } from '../core/jobs/clock-controller.js';
import type { BurstGate } from '../core/jobs/ingest-backpressure.js';
import type { JobPoolOptions } from '../core/jobs/job-pool.js';
import { Scheduler } from '../core/jobs/scheduler.js';
import { UnderWay } from '../core/jobs/under-way.js';
import { PurgeSweep } from '../core/mail/deletion.js';
import type { Inbound } from '../core/mail/inbound/inbound.js';
import { PruneSweep } from '../core/mail/pruning.js';
import { releaseKind } from '../core/mail/release/release-jobs.js';
import { Releases } from '../core/mail/release/releases.js';
import { RetentionSweep } from '../core/mail/retention.js';
import { outcomeKind } from '../core/mail/states/outcomes.js';
import { deliverySweep, sendKind, shiftPending } from '../core/mail/states/send-and-deliver.js';
import { engagementKind } from '../core/mail/tracking/visits.js';
import { IndexProgress, SearchIndexing } from '../core/search/search-indexing.js';
import { ExpirySweep } from '../core/workspaces/ending.js';
import { version } from '../version.js';
import type { AppOptions } from './app.js';
import type { Base } from './base.js';
import { compose, createLazyPost, deliveredCopy, relayedCopy, sendOverSmtp } from './lazy-adapters.js';

/** The work that runs without a request: jobs, webhook deliveries, and the clock that schedules them. */
export interface Background {
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  searchIndexing: SearchIndexing;
  indexProgress: IndexProgress;
  clockController: ClockController;
  feed: AttemptFeed;
  retrySchedule: readonly number[];
  /** Closes the connections to webhook receivers. */
  closePost(): Promise<void>;
  /** Sends captured emails through a real SMTP server. */
  releases: Releases;
}

/** Creates the background work and does not start it. */
export function createBackground(base: Base, options: AppOptions): Background {
  const { core, store, clock, inbound, burstGate, stopping, onInternalError } = base;
  const { post, close: closePost } = createLazyPost(core.outboundHosts);
  const feed = new AttemptFeed();
  const retrySchedule = options.retrySchedule ?? WEBHOOK_RETRY_MS;
  const delivery: DeliveryDeps = {
    store,
    clock,
    post: faultyPost(post, base.faults),
    isStopping: () => stopping.signal.aborted,
    underWay: new UnderWay(clock),
    keyedQueue: new KeyedQueue(clock),
    userAgent: `svc/${version}`,
    retrySchedule,
    receiverStatuses: options.receiverStatuses ?? {},
    timeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    onAttempt: (attempted) => feed.publish(attempted),
  };
  publishForeignAttempts({ store, feed, retrySchedule, onInternalError });
  const dispatcher = new Dispatcher({ store, clock, ids: core.ids, onInternalError });
  const { retention } = options;
  const releases = new Releases({
    ...{ ...core, relay: options.relay ?? null, stopping: stopping.signal },
    ...{ sendOverSmtp, compose, deliveredCopy, relayedCopy },
  });
  const scheduler = createScheduler({
    ...{ core, inbound, burstGate, delivery, dispatcher, retention, releases, onInternalError },
    ...{ hasRelay: options.relay !== undefined, stopping: stopping.signal },
  });
  inbound.runJobs = () => scheduler.drainPoolOf('email.parse');
  const clockController = new ClockController({ store, clock, scheduler, onMovedBack: shiftPending });
  const searchIndexing = new SearchIndexing({ store, clock, onInternalError });
  const indexProgress = new IndexProgress({ store, clock });
  return {
    scheduler,
    dispatcher,
    searchIndexing,
    indexProgress,
    clockController,
    feed,
    retrySchedule,
    closePost,
    releases,
  };
}

/** Maximum number of email jobs that run at once, and so of emails that one commit processes. */
const MAIL_POOL_SIZE = 256;
/** Maximum number of concurrent webhook requests. */
const WEBHOOK_POOL_SIZE = 64;
/** Maximum number of concurrent connections to the relay. */
const RELEASE_POOL_SIZE = 4;
/** Maximum number of concurrent webhook requests to one receiver. */
const ATTEMPTS_PER_RECEIVER = 8;

interface SchedulerDeps {
  core: Core;
  inbound: Inbound;
  burstGate: BurstGate;
  delivery: DeliveryDeps;
  dispatcher: Dispatcher;
  retention: Retention | undefined;
  releases: Releases;
  /** Whether emails can be released. */
  hasRelay: boolean;
  /** Fires when the server stops. */
  stopping: AbortSignal;
  onInternalError(error: unknown): void;
}

/** Creates the scheduler. Email and webhooks have separate pools, so that slow receivers do not delay email. */
function createScheduler(deps: SchedulerDeps): Scheduler {
  const { core, inbound, burstGate, delivery, dispatcher, retention, onInternalError } = deps;
  const { store, clock, extractPending } = core;
  const purging = new PurgeSweep({ store, clock, onInternalError });
  const expiring = new ExpirySweep({ store, clock, ids: core.ids, parsePending: core.parsePending, onInternalError });
  const retaining = new RetentionSweep({ store, clock, extractPending, retention, onInternalError });
  const pruning = new PruneSweep({ store, clock, retention, onInternalError });
  const mail = {
    size: MAIL_POOL_SIZE,
    gate: burstGate,
    kinds: {
      'email.send': sendKind(core),
      'email.deliver': deliverySweep(core),
      'email.engage': engagementKind(core),
      'email.outcome': outcomeKind(core),
    },
  };
  // One worker process is kept for messages whose clients wait.
  const parsing = { size: 1, kinds: { 'email.parse': inbound.parseKind } };
  const webhooks = {
    size: WEBHOOK_POOL_SIZE,
    perQueue: ATTEMPTS_PER_RECEIVER,
    underWay: delivery.underWay,
    kinds: { 'webhook.attempt': attemptKind(delivery) },
  };
  return new Scheduler(
    { store, clock, onInternalError, isStopping: delivery.isStopping },
    {
      pools: [mail, parsing, webhooks, ...releasing(deps)],
      sweeps: [dispatcher, purging, expiring, retaining, pruning],
    },
  );
}

/** Returns the pool of releases. Without a relay, they wait for a start with one. */
function releasing({ core: { store, clock }, releases, hasRelay, stopping }: SchedulerDeps): JobPoolOptions[] {
  if (!hasRelay) return [];
  const underWay = new UnderWay(clock);
  const kinds = { 'email.release': releaseKind({ store, clock, releases, underWay, stopping }) };
  return [{ size: RELEASE_POOL_SIZE, underWay, kinds }];
}
