import type { Core } from '../core/context.js';
import { attemptKind, type DeliveryDeps } from '../core/delivery/attempt.js';
import type { Dispatcher } from '../core/delivery/dispatcher.js';
import type { BurstGate } from '../core/jobs/ingest-backpressure.js';
import { Scheduler } from '../core/jobs/scheduler.js';
import type { Inbound } from '../core/mail/inbound.js';
import { mailJobs } from '../core/mail/mail-jobs.js';

/** Maximum numbers of emails that one commit processes, of concurrent webhook requests, and of those to one receiver. */
const MAIL_POOL_SIZE = 256;
const WEBHOOK_POOL_SIZE = 64;
const ATTEMPTS_PER_RECEIVER = 8;

export interface SchedulerDeps {
  core: Core;
  inbound: Inbound;
  burstGate: BurstGate;
  delivery: DeliveryDeps;
  dispatcher: Dispatcher;
  onInternalError(error: unknown): void;
}

/** Creates the scheduler with a pool for mail and a pool for webhooks, so that slow receivers do not delay mail. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { core, inbound, burstGate, delivery, dispatcher, onInternalError } = deps;
  const { store, clock } = core;
  const mail = { size: MAIL_POOL_SIZE, gate: burstGate, kinds: mailJobs(core, inbound) };
  const webhooks = {
    size: WEBHOOK_POOL_SIZE,
    perQueue: ATTEMPTS_PER_RECEIVER,
    kinds: { 'webhook.attempt': attemptKind(delivery) },
  };
  return new Scheduler(
    { store, clock, onInternalError, isStopping: delivery.isStopping },
    { pools: [mail, webhooks], sweeps: [dispatcher] },
  );
}
