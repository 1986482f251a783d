import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import type { Core } from '../../context.js';
import type { ItemKind } from '../../jobs/job-kinds.js';
import type { UnderWay } from '../../jobs/under-way.js';
import type { Recipient } from '../../model/emails.js';
import type { NewJob } from '../../model/jobs.js';
import type { Transaction } from '../../transaction.js';
import type { Releases } from './releases.js';

/** Releases emails by themselves, for staging servers. */

/** The job that releases an email to recipients that match `--auto-release`. */
interface ReleaseJob extends NewJob {
  kind: 'email.release';
  payload: { emailId: string; to: string[]; attempt: number };
}

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
  const job: ReleaseJob = { kind: 'email.release', runAt: clock.now(), payload: { emailId, to, attempt: 1 } };
  await tx.jobs.add(job);
}

export interface ReleaseJobDeps extends Pick<Core, 'store' | 'clock'> {
  releases: Releases;
  /** The attempts that wait for the relay. */
  underWay: UnderWay;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

/** Time that moving the clock gives an attempt. */
const ATTEMPT_MS = 120_000;

/** Runs one attempt. One that ends with the server is made again by the next server: the message may be sent twice. */
export function releaseKind({ store, clock, releases, underWay, stopping }: ReleaseJobDeps): ItemKind {
  return {
    type: 'item',
    async run(job) {
      const { emailId, to, attempt } = job.payload as ReleaseJob['payload'];
      const email = await store.read.emails.find(emailId);
      if (!email) return async () => {};
      if (stopping.aborted) return 'deferred';
      const ended = await underWay.track(async (start) => {
        let stop = () => {};
        const stopped = new Promise<'stopped'>((resolve) => {
          stop = () => resolve('stopped');
        });
        stopping.addEventListener('abort', stop);
        const cut = new Promise<'failed'>((resolve) => start(ATTEMPT_MS, () => resolve('failed')));
        const sent = releases.release(email, to).then(() => 'sent' as const, failureOf);
        return Promise.race([sent, stopped, cut]).finally(() => stopping.removeEventListener('abort', stop));
      });
      if (ended === 'stopped') return 'deferred';
      const wait = ended === 'failed' ? RETRIES_MS[attempt - 1] : undefined;
      return async (tx) => {
        if (wait === undefined) return;
        const payload = { emailId, to, attempt: attempt + 1 };
        await tx.jobs.add({ kind: 'email.release', runAt: clock.now() + wait, payload } satisfies ReleaseJob);
      };
    },
  };
}

/** The attempt is recorded with its failure. Another one cannot succeed without a relay. */
function failureOf(error: unknown): 'failed' | 'refused' {
  if (!(error instanceof ServiceError)) throw error;
  return error.failure === 'upstream' ? 'failed' : 'refused';
}
