import type { EventDeps } from '../context.js';
import type { RecipientRef } from '../model/emails.js';
import type { NewJob } from '../model/jobs.js';
import type { Step } from '../model/steps.js';
import type { Transaction } from '../transaction.js';

/** The job that runs the first of the steps and schedules the rest. */
export interface OutcomeJob extends NewJob {
  kind: 'email.outcome';
  payload: RecipientRef & { steps: Step[] };
}

/** The kinds of jobs with the remaining steps of a recipient. */
export const outcomeJobs: readonly OutcomeJob['kind'][] = ['email.outcome'];

/** Schedules the first of a recipient's steps, and returns when it is due. Its job schedules the next one. */
export async function scheduleStep(
  tx: Transaction,
  deps: EventDeps,
  { emailId, mailbox }: RecipientRef,
  steps: Step[],
): Promise<number | null> {
  const [first] = steps;
  if (!first) return null;
  const runAt = deps.clock.now() + first.afterMs;
  const job: OutcomeJob = { kind: 'email.outcome', runAt, payload: { emailId, mailbox, steps } };
  await tx.jobs.add(job);
  return runAt;
}
