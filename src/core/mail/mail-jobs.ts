import type { ItemKind, JobEffect, JobKind } from '../jobs/job-kinds.js';
import { type DeliverJob, deliverySweep } from './delivery-delay.js';
import { runStep, type SendJob, type StepDeps, sendScheduled } from './lifecycle.js';
import type { OutcomeJob } from './outcome-jobs.js';
import { type EngagementJob, runEngagementJob } from './tracking/visits.js';

type MailJob = SendJob | DeliverJob | OutcomeJob | EngagementJob;

/** Returns the kinds of jobs that send and deliver mail. */
export function mailJobs(deps: StepDeps): Record<MailJob['kind'], JobKind> {
  return {
    'email.send': item<SendJob>(async (payload) => (tx) => sendScheduled(tx, deps, payload)),
    'email.deliver': deliverySweep(deps),
    'email.engage': item<EngagementJob>(async (payload) => (tx) => runEngagementJob(tx, deps, payload)),
    'email.outcome': item<OutcomeJob>((payload) => runStep(deps, payload)),
  };
}

function item<J extends MailJob>(run: (payload: J['payload']) => Promise<JobEffect>): ItemKind {
  return { type: 'item', run: (job) => run(job.payload as J['payload']) };
}
