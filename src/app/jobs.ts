import type { Retention } from '../contract/vocabulary/emails/retention.js';
import type { Core } from '../core/context.js';
import { attemptKind, type DeliveryDeps } from '../core/delivery/attempt.js';
import type { Dispatcher } from '../core/delivery/dispatcher.js';
import type { BurstGate } from '../core/jobs/ingest-backpressure.js';
import type { JobPoolOptions } from '../core/jobs/job-pool.js';
import { Scheduler } from '../core/jobs/scheduler.js';
import { UnderWay } from '../core/jobs/under-way.js';
import type { Inbound } from '../core/mail/inbound/inbound.js';
import { mailJobs } from '../core/mail/mail-jobs.js';
import { releaseKind } from '../core/mail/release/release-jobs.js';
import type { Releases } from '../core/mail/release/releases.js';
import { RetentionSweep } from '../core/mail/retention.js';
import { PurgeSweep } from '../core/mail/undoing-deletions.js';
import { ExpirySweep } from '../core/workspaces/ending.js';

/** Maximum number of email jobs that run at once, and so of emails that one commit processes. */
const MAIL_POOL_SIZE = 256;
/** Maximum number of concurrent webhook requests. */
const WEBHOOK_POOL_SIZE = 64;
/** Maximum number of concurrent connections to the relay. */
const RELEASE_POOL_SIZE = 4;
/** Maximum number of concurrent webhook requests to one receiver. */
const ATTEMPTS_PER_RECEIVER = 8;

export interface SchedulerDeps {
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
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { core, inbound, burstGate, delivery, dispatcher, retention, onInternalError } = deps;
  const { store, clock, extractPending } = core;
  const purging = new PurgeSweep({ store, clock, onInternalError });
  const expiring = new ExpirySweep({ store, clock, ids: core.ids, parsePending: core.parsePending, onInternalError });
  const retaining = new RetentionSweep({ store, clock, extractPending, retention, onInternalError });
  const mail = { size: MAIL_POOL_SIZE, gate: burstGate, kinds: mailJobs(core) };
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
    { pools: [mail, parsing, webhooks, ...releasing(deps)], sweeps: [dispatcher, purging, expiring, retaining] },
  );
}

/** Returns the pool of releases. Without a relay, they wait for a start with one. */
function releasing({ core: { store, clock }, releases, hasRelay, stopping }: SchedulerDeps): JobPoolOptions[] {
  if (!hasRelay) return [];
  const underWay = new UnderWay(clock);
  const kinds = { 'email.release': releaseKind({ store, clock, releases, underWay, stopping }) };
  return [{ size: RELEASE_POOL_SIZE, underWay, kinds }];
}
