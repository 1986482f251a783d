import type { ItemKind, JobEffect, JobKind } from '../jobs/job-kinds.js';
import type { NewJob } from '../model/jobs.js';
import { type DeliverJob, deliverySweep } from './delivery-delay.js';
import { runStep, type SendJob, type StepDeps, sendScheduled } from './lifecycle.js';
import type { OutcomeJob } from './outcome-jobs.js';
import { type EngagementJob, runEngagementJob } from './tracking/visits.js';

type MailJob = SendJob | DeliverJob | OutcomeJob | EngagementJob;

/** Returns the kinds of jobs that send and deliver mail. */
export function mailJobs(deps: StepDeps): Record<MailJob['kind'], JobKind> {
  return {
    'email.send': item<SendJob>(async (job) => (tx) => sendScheduled(tx, deps, job)),
    'email.deliver': deliverySweep(deps),
    'email.engage': item<EngagementJob>(async (job) => (tx) => runEngagementJob(tx, deps, job)),
    'email.outcome': item<OutcomeJob>((job) => runStep(deps, job)),
  };
}

function item<J extends MailJob>(run: (job: J) => Promise<JobEffect>): ItemKind {
  return { type: 'item', run: (job) => run(job as NewJob as J) };
}
