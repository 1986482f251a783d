import type { Core } from '../core/context.js';
import { attemptDelivery, type DeliveryDeps } from '../core/delivery/attempt.js';
import type { BurstGate } from '../core/jobs/ingest-backpressure.js';
import { Scheduler } from '../core/jobs/scheduler.js';
import { type EngagementJob, runEngagementJob } from '../core/mail/engagement.js';
import type { Inbound } from '../core/mail/inbound.js';
import { runStep, type SendJob, sendScheduled } from '../core/mail/lifecycle.js';
import type { Job } from '../core/model.js';
import type { Transaction } from '../core/transaction.js';

/** Maximum numbers of emails that one commit processes, of concurrent webhook requests, and of those to one receiver. */
const MAIL_POOL_SIZE = 256;
const WEBHOOK_POOL_SIZE = 64;
const ATTEMPTS_PER_RECEIVER = 8;

export interface SchedulerDeps {
  core: Core;
  inbound: Inbound;
  burstGate: BurstGate;
  delivery: DeliveryDeps;
  onInternalError(error: unknown): void;
}

/** Creates the scheduler with a pool for mail and a pool for webhooks, so that slow receivers do not delay mail. */
export function createScheduler({ core, inbound, burstGate, delivery, onInternalError }: SchedulerDeps): Scheduler {
  const { store, clock } = core;
  const inTransaction =
    (run: (tx: Transaction, payload: never) => Promise<void>) =>
    ({ seq, payload }: Job) =>
      store.write(async (tx) => {
        if (await tx.jobs.complete(seq)) await run(tx, payload as never);
      });
  const scheduler = new Scheduler({ store, clock, onInternalError, isStopping: delivery.isStopping }, [
    {
      size: MAIL_POOL_SIZE,
      paused: () => burstGate.isActive,
      handlers: {
        'email.index': (job) => inbound.runIndexJob(job),
        'email.send': inTransaction((tx, payload: SendJob['payload']) => sendScheduled(tx, core, payload)),
        'email.engage': inTransaction((tx, payload: EngagementJob['payload']) => runEngagementJob(tx, core, payload)),
        'email.outcome': (job) => runStep(core, job),
      },
    },
    {
      size: WEBHOOK_POOL_SIZE,
      perQueue: ATTEMPTS_PER_RECEIVER,
      handlers: { 'webhook.attempt': (job, releaseSlot) => attemptDelivery(delivery, job, releaseSlot) },
    },
  ]);
  burstGate.onIdle(() => scheduler.resume());
  return scheduler;
}
