import type { KindName } from '../../src/core/model/jobs.js';
import type { Store } from '../../src/core/store.js';

/** Returns the number of jobs of these kinds that have not ended, claimed or not. Claims them all and rolls that back. */
export async function pendingJobs(store: Store, ...kinds: KindName[]): Promise<number> {
  const rollback = new Error('rolled back');
  let jobs = 0;
  const claiming = store.write(async (tx) => {
    // Every job is due by then, and every lease has expired.
    const end = Number.MAX_SAFE_INTEGER;
    jobs = (await tx.jobs.claim({ now: end, systemNow: end, leaseUntil: end, limit: end, kinds })).length;
    throw rollback;
  });
  await claiming.catch((error) => {
    if (error !== rollback) throw error;
  });
  return jobs;
}
