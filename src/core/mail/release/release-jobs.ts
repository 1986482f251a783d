import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import type { Core } from '../../context.js';
import type { ItemKind } from '../../jobs/job-kinds.js';
import type { UnderWay } from '../../jobs/under-way.js';
import type { Recipient } from '../../model/emails.js';
import type { Transaction } from '../../transaction.js';
import type { Attempt, Releases } from './releases.js';

/** Releases emails automatically, for staging servers. */

/** Milliseconds from each failed attempt to the next, on the service's clock. */
const RETRIES_MS = [60_000, 300_000, 1_800_000];

/** Adds the job for the recipients of an email that is sent now, if any match. */
export async function requestRelease(
  tx: Transaction,
  { clock, autoRelease }: Pick<Core, 'clock' | 'autoRelease'>,
  emailId: string,
  recipients: readonly Recipient[],
): Promise<void> {
  if (autoRelease.length === 0) return;
  const to = recipients
    .filter(
      ({ status, mailbox }) => status !== 'dropped' && autoRelease.some((each) => matchesRecipient(each, mailbox)),
    )
    .map(({ address }) => address);
  if (to.length === 0) return;
  await tx.jobs.add({ kind: 'email.release', runAt: clock.now(), payload: { emailId, to, attempt: 1 } });
}

export interface ReleaseJobDeps extends Pick<Core, 'store' | 'clock'> {
  releases: Pick<Releases, 'releaseAutomatically'>;
  /** The attempts that wait for the relay. */
  underWay: UnderWay;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

/**
 * Runs one attempt, and records it when the job completes. One that ends with the server is made again by the next
 * server: the message may be sent twice. No move of the clock ends an attempt, because the relay may accept the message
 * at any moment.
 */
export function releaseKind({ store, clock, releases, underWay, stopping }: ReleaseJobDeps): ItemKind<'email.release'> {
  return {
    type: 'item',
    runsOnce: true,
    async run(job) {
      const { emailId, to, attempt } = job.payload;
      const email = await store.read.emails.find(emailId);
      if (!email) return (tx) => tx.emails.keepJob(emailId, job);
      if (stopping.aborted) return 'deferred';
      const made = await underWay.track((start) => {
        start(Number.POSITIVE_INFINITY, () => {});
        return releases.releaseAutomatically(email, to).catch(nullIfRefused);
      });
      if (!made) return async () => {};
      if (made.failure?.step === 'ended' && stopping.aborted) {
        await store.write((tx) => tx.releases.insert(emailId, made.release));
        return 'deferred';
      }
      const left = recipientsLeft(made);
      const wait = left.length > 0 ? RETRIES_MS[attempt - 1] : undefined;
      return async (tx) => {
        await tx.releases.insert(emailId, made.release);
        if (wait === undefined) return;
        const payload = { emailId, to: left, attempt: attempt + 1 };
        await tx.jobs.add({ kind: 'email.release', runAt: clock.now() + wait, payload });
      };
    },
  };
}

/** Returns the recipients that another attempt may reach. A reply of 5xx is final. */
function recipientsLeft({ release: { recipients, rejected }, failure }: Attempt): string[] {
  if (failure === null || rejected.length > 0) {
    return rejected.filter(({ reply }) => reply.startsWith('4')).map(({ address }) => address);
  }
  return failure.code !== null && failure.code >= 500 ? [] : recipients;
}

/** Another attempt would be refused as well, because the settings of the server do not allow it. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}
