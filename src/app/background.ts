import { WEBHOOK_TIMEOUT_MS } from '../contract/vocabulary/limits.js';
import { WEBHOOK_RETRY_MS } from '../contract/vocabulary/webhooks/retries.js';
import type { DeliveryDeps } from '../core/delivery/attempt.js';
import { Dispatcher } from '../core/delivery/dispatcher.js';
import { AttemptFeed } from '../core/delivery/ephemeral-subscriptions.js';
import { publishForeignAttempts } from '../core/delivery/foreign-attempts.js';
import { KeyedQueue } from '../core/delivery/keyed-queue.js';
import { faultyPost } from '../core/faults/faulty-post.js';
import { ClockController } from '../core/jobs/clock-controller.js';
import type { Scheduler } from '../core/jobs/scheduler.js';
import { UnderWay } from '../core/jobs/under-way.js';
import { shiftPending } from '../core/mail/delivery-delay.js';
import { Releases } from '../core/mail/release/releases.js';
import { IndexProgress } from '../core/search/index-progress.js';
import { SearchIndexing } from '../core/search/search-indexing.js';
import { version } from '../version.js';
import type { AppOptions } from './app.js';
import type { Base } from './base.js';
import { createScheduler } from './jobs.js';
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
