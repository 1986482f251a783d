import { expect, it } from 'vitest';
import type { KindName, NewJob } from '../../../src/core/model/jobs.js';
import type { JobClaim } from '../../../src/core/transaction.js';
import { pendingJobs } from '../../support/pending-jobs.js';
import { NOON } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

/** The machine's time; other than the service's, as after `svc dev clock advance`. */
const SYSTEM = 1_000_000;

export function claimOf(over: Partial<JobClaim> = {}): JobClaim {
  return { now: NOON, systemNow: SYSTEM, leaseUntil: SYSTEM + 60, limit: 100, kinds: ['email.parse'], ...over };
}

export function jobSuite(make: MakeFixture): void {
  const { open } = stores(make);

  /**
   * Returns a store with jobs of a kind at these offsets from noon, and a function that claims jobs and returns the
   * offsets.
   */
  async function withJobs(...offsets: number[]) {
    const store = await open();
    await store.write(async (tx) => {
      for (const offset of offsets)
        await tx.jobs.add({ kind: 'email.parse', runAt: NOON + offset, payload: { emailId: `msg_${offset}` } });
    });
    return {
      store,
      claim: (over: Partial<JobClaim> = {}) => store.write((tx) => tx.jobs.claim(claimOf(over))),
      next: (systemNow = SYSTEM) => store.read.jobs.next(['email.parse'], systemNow),
    };
  }

  const offsetsOf = (jobs: { runAt: number }[]) => jobs.map(({ runAt }) => runAt - NOON);

  it('claims due jobs in order of time and then of creation, with their payload', async () => {
    const { store, claim } = await withJobs(0, -5, 1, -5, -9);
    const jobs = await claim();
    expect(offsetsOf(jobs)).toEqual([-9, -5, -5, 0]);
    expect(jobs[1]!.seq).toBeLessThan(jobs[2]!.seq);
    expect(jobs[0]).toMatchObject({ kind: 'email.parse', payload: { emailId: 'msg_-9' } });
    expect(await pendingJobs(store, 'email.parse')).toBe(5);
  });

  it('claims no more than requested, and none twice', async () => {
    const { claim } = await withJobs(-4, -3, -2, -1);
    expect(offsetsOf(await claim({ limit: 3 }))).toEqual([-4, -3, -2]);
    expect(offsetsOf(await claim({ limit: 3 }))).toEqual([-1]);
    expect(await claim()).toEqual([]);
  });

  it('claims only the requested kinds', async () => {
    const { store, claim } = await withJobs(-1);
    await store.write((tx) => tx.jobs.add({ kind: 'email.deliver', runAt: NOON - 9, payload: {} }));
    expect(offsetsOf(await claim())).toEqual([-1]);
    expect(await store.read.jobs.next(['email.deliver'], SYSTEM)).toEqual({ dueAt: NOON - 9, leaseEndsAt: null });
    expect(await claim({ kinds: ['email.parse', 'email.deliver'] })).toMatchObject([
      { kind: 'email.deliver', payload: {} },
    ]);
    expect(await claim({ kinds: [] })).toEqual([]);
  });

  it('claims the first job of each queue that is not full, however many wait in others', async () => {
    const store = await open();
    const offsets = { a: [-9, -8, -7], b: [-2, -1], c: [-3], d: [5] };
    await store.write(async (tx) => {
      for (const [queue, all] of Object.entries(offsets))
        for (const offset of all)
          await tx.jobs.add({ kind: 'email.parse', queue, runAt: NOON + offset, payload: { emailId: 'msg_1' } });
    });
    const running = new Map([['a', 2]]);
    const claim = (over: Partial<JobClaim> = {}) =>
      store.write((tx) => tx.jobs.claim(claimOf({ perQueue: { limit: 2, running }, ...over })));
    const next = (...full: string[]) => store.read.jobs.next(['email.parse'], SYSTEM, full);

    expect(await next('a', 'x')).toEqual({ dueAt: NOON - 3, leaseEndsAt: null });
    expect(await claim({ limit: 1 })).toMatchObject([{ queue: 'c', runAt: NOON - 3 }]);
    expect(offsetsOf(await claim())).toEqual([-2]);
    expect(offsetsOf(await claim())).toEqual([-1]);
    expect(await claim()).toEqual([]);
    expect((await next('a')).dueAt).toBe(NOON + 5);
    expect((await next('a', 'd')).dueAt).toBeNull();
    expect(offsetsOf(await claim({ systemNow: SYSTEM + 60, leaseUntil: SYSTEM + 120 }))).toEqual([-3, -2, -1]);
    running.clear();
    expect(offsetsOf(await claim())).toEqual([-9, -8]);
  });

  it('claims a job again when its lease has expired on the machine’s clock, and not before', async () => {
    const { claim } = await withJobs(-1);
    await claim({ leaseUntil: SYSTEM + 60 });
    expect(await claim({ systemNow: SYSTEM + 59, now: NOON + 1e9 })).toEqual([]);
    const again = await claim({ systemNow: SYSTEM + 60, leaseUntil: SYSTEM + 120 });
    expect(offsetsOf(again)).toEqual([-1]);
    expect(await claim({ systemNow: SYSTEM + 119 })).toEqual([]);
  });

  it('ends a job once: the second caller learns that it is gone', async () => {
    const { store, claim } = await withJobs(-2, -1);
    const [first] = await claim();
    const end = () => store.write((tx) => tx.jobs.complete(first!.seq));
    expect([await end(), await end()]).toEqual([true, false]);
    expect(await pendingJobs(store, 'email.parse')).toBe(1);
    expect(offsetsOf(await claim({ systemNow: SYSTEM + 60 }))).toEqual([-1]);
  });

  it('never reuses the number of a job', async () => {
    const { store, claim } = await withJobs(-1);
    const [old] = await claim();
    await store.write((tx) => tx.jobs.complete(old!.seq));
    await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: NOON, payload: { emailId: 'msg_1' } }));
    const [young] = await claim();
    expect(young!.seq).toBeGreaterThan(old!.seq);
  });

  it('releases a job, for another time', async () => {
    const { store, claim } = await withJobs(-1);
    const [job] = await claim();
    await store.write((tx) => tx.jobs.reschedule(job!.seq, NOON + 5));
    expect(await claim()).toEqual([]);
    expect(offsetsOf(await claim({ now: NOON + 5 }))).toEqual([5]);
  });

  it('frees a job of one lease, and not of the next one', async () => {
    const { store, claim } = await withJobs(-1);
    const [job] = await claim({ leaseUntil: SYSTEM + 60 });
    await claim({ systemNow: SYSTEM + 60, leaseUntil: SYSTEM + 120 });
    await store.write((tx) => tx.jobs.release(job!.seq, SYSTEM + 60));
    expect(await claim()).toEqual([]);
    await store.write((tx) => tx.jobs.release(job!.seq, SYSTEM + 120));
    expect(offsetsOf(await claim())).toEqual([-1]);
  });

  it('renews a lease, and not one that has been replaced', async () => {
    const { store, claim } = await withJobs(-1);
    const [job] = await claim({ leaseUntil: SYSTEM + 60 });
    const renew = (until: number) => store.write((tx) => tx.jobs.renew(job!.seq, SYSTEM + 60, until));
    expect([await renew(SYSTEM + 120), await renew(SYSTEM + 180)]).toEqual([true, false]);
    expect(await claim({ systemNow: SYSTEM + 60, leaseUntil: SYSTEM + 180 })).toEqual([]);
    expect(offsetsOf(await claim({ systemNow: SYSTEM + 120, leaseUntil: SYSTEM + 180 }))).toEqual([-1]);
  });

  it('sets a failed job aside permanently', async () => {
    const { store, claim, next } = await withJobs(-1);
    const [job] = await claim();
    await store.write((tx) => tx.jobs.fail(job!.seq, 'Error: broken'));
    expect(await claim({ systemNow: SYSTEM + 1e9 })).toEqual([]);
    expect(await next()).toEqual({ dueAt: null, leaseEndsAt: null });
    expect(await store.read.jobs.first(['email.parse'])).toBeUndefined();
  });

  it('returns when the next job is due, and when the next lease ends', async () => {
    const { store, claim, next } = await withJobs();
    expect(await next()).toEqual({ dueAt: null, leaseEndsAt: null });
    await store.write(async (tx) => {
      for (const offset of [7, -3, -8])
        await tx.jobs.add({ kind: 'email.parse', runAt: NOON + offset, payload: { emailId: 'msg_1' } });
    });
    expect(await next()).toEqual({ dueAt: NOON - 8, leaseEndsAt: null });
    await claim({ limit: 1, leaseUntil: SYSTEM + 90 });
    await claim({ limit: 1, leaseUntil: SYSTEM + 60 });
    expect(await next()).toEqual({ dueAt: NOON + 7, leaseEndsAt: SYSTEM + 60 });
    // An expired lease leaves a free job.
    expect(await next(SYSTEM + 60)).toEqual({ dueAt: NOON - 3, leaseEndsAt: SYSTEM + 90 });
    expect(await next(SYSTEM + 90)).toEqual({ dueAt: NOON - 8, leaseEndsAt: null });
  });

  it('names the first job, claimed or free', async () => {
    const { store, claim } = await withJobs(4, -1);
    expect(await store.read.jobs.first(['email.parse'])).toEqual({ runAt: NOON - 1, leaseUntil: 0 });
    await claim({ leaseUntil: SYSTEM + 60 });
    expect(await store.read.jobs.first(['email.parse'])).toEqual({ runAt: NOON - 1, leaseUntil: SYSTEM + 60 });
    expect(await store.read.jobs.countDue(['email.parse'], NOON)).toBeGreaterThan(0);
    expect(await store.read.jobs.countDue(['email.parse'], NOON - 2)).toBe(0);
    expect(await store.read.jobs.countDue(['email.deliver'], NOON)).toBe(0);
    expect(await store.read.jobs.first(['email.deliver'])).toBeUndefined();
  });

  it('cancels the jobs of one recipient of an email, of the given kinds', async () => {
    const { store, claim } = await withJobs();
    await store.write(async (tx) => {
      const add = (kind: KindName, emailId: string, mailbox: string) =>
        tx.jobs.add({ kind, runAt: NOON, payload: { emailId, mailbox } } as NewJob);
      await add('email.outcome', 'msg_1', 'ada@x.test');
      await add('email.outcome', 'msg_1', 'bob@x.test');
      await add('email.outcome', 'msg_2', 'ada@x.test');
      await add('email.engage', 'msg_1', 'ada@x.test');
    });
    await store.write((tx) => tx.jobs.cancelPending(['email.outcome'], 'msg_1', 'ada@x.test'));
    expect(
      (await claim({ kinds: ['email.outcome', 'email.engage'] })).map(({ kind, payload }) => [kind, payload]),
    ).toEqual([
      ['email.outcome', { emailId: 'msg_1', mailbox: 'bob@x.test' }],
      ['email.outcome', { emailId: 'msg_2', mailbox: 'ada@x.test' }],
      ['email.engage', { emailId: 'msg_1', mailbox: 'ada@x.test' }],
    ]);
  });

  it('notifies a waiting listener of a new job, or one for another time', async () => {
    const { store, claim } = await withJobs(-1);
    let told = 0;
    store.onCommit(({ jobs }) => {
      if (jobs) told += 1;
    });
    const [job] = await claim();
    expect(told).toBe(0);
    await store.write((tx) => tx.jobs.reschedule(job!.seq, NOON + 1));
    expect(told).toBe(1);
    await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: NOON, payload: { emailId: 'msg_1' } }));
    expect(told).toBe(2);
  });
}
