import type { Core } from '../context.js';
import type { ItemKind, JobEffect, JobKind } from '../jobs/job-kinds.js';
import type { NewJob, Step } from '../model/jobs.js';
import { applyStep } from './states/apply.js';
import { type DeliverJob, deliverySweep } from './states/deliver.js';
import { type OutcomeJob, scheduleStep } from './states/plan.js';
import { type SendJob, sendScheduled } from './states/send.js';
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

/** The dependencies of running a step. */
export type StepDeps = Pick<Core, 'store' | 'clock' | 'ids' | 'deliveryDelayMs' | 'extractsOf' | 'autoRelease'>;

/**
 * Runs a recipient's next step and schedules the one after it. Ends the plan if the recipient's status does not allow
 * the step.
 */
export async function runStep(deps: StepDeps, job: OutcomeJob): Promise<JobEffect> {
  const { payload } = job;
  const { steps } = payload;
  // Only a click has to wait for a parser. Other steps must not wait, because later jobs depend on them.
  const [step, ...rest] = needsLink(steps[0]) ? await resolveLink(deps, payload) : steps;
  return async (tx) => {
    if (step && (await applyStep(tx, deps, payload, step))) await scheduleStep(tx, deps, payload, rest);
    else await tx.emails.keepJob(payload.emailId, job);
  };
}

/**
 * Returns the steps with the link to click in the next one. Finding the link needs a parser, which a transaction cannot
 * wait for.
 */
async function resolveLink(deps: StepDeps, { emailId, steps }: OutcomeJob['payload']): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const url = await firstLink(deps, emailId);
  return url ? [{ ...first, url }, ...rest] : steps;
}

function needsLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}

/**
 * Returns the first web link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds
 * the limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink({ extractsOf }: Pick<Core, 'extractsOf'>, emailId: string): Promise<string | null> {
  return (await extractsOf(emailId))?.links.find(({ href }) => /^https?:/i.test(href))?.href ?? null;
}
