import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceClock } from '../../../src/clock/clock.js';
import type { ItemKind, JobEffect, JobKind } from '../../../src/core/jobs/job-kinds.js';
import { JobPool } from '../../../src/core/jobs/job-pool.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { pendingJobs } from '../../support/pending-jobs.js';

/** The pool completes a job and writes its effect in one transaction. */

describe('the pool', () => {
  let store: Store;
  let faults: unknown[];
  let ran: string[];
  beforeEach(() => {
    store = openSqliteStore('memory');
    faults = [];
    ran = [];
  });
  afterEach(() => store.close());

  const poolOf = (mail: JobKind) =>
    new JobPool(
      { store, clock: new ServiceClock(), onInternalError: (error) => faults.push(error) },
      { size: 1, kinds: { 'email.parse': mail } },
      { idle() {}, ran: ({ kind }) => ran.push(kind) },
    );
  const item = (effect: JobEffect): ItemKind => ({ type: 'item', run: async () => effect });
  const addJob = () =>
    store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));
  const setting = (name: string) => store.read.settings.get(name, String);

  it('completes an item with its effect, then reports it', async () => {
    const reported: unknown[] = [];
    const pool = poolOf(
      item(async (tx) => {
        const job = await tx.jobs.first(['email.parse']);
        await tx.settings.set('effect', job ? 'written first' : 'written after completion');
        return () => reported.push('on disk');
      }),
    );
    await addJob();

    await pool.drain();

    expect(await setting('effect')).toBe('written after completion');
    expect({ reported, ran, faults }).toEqual({ reported: ['on disk'], ran: ['email.parse'], faults: [] });
  });

  it('writes nothing and keeps the job with the reason when its effect fails', async () => {
    const broken = new Error('broken');
    const pool = poolOf(
      item(async (tx) => {
        await tx.settings.set('effect', 'half');
        throw broken;
      }),
    );
    await addJob();

    await pool.drain();
    await pool.drain();

    expect(await setting('effect')).toBeUndefined();
    expect({ ran, faults }).toEqual({ ran: [], faults: [broken] });
    expect(await store.read.jobs.first(['email.parse'])).toBeUndefined();
  });

  it('writes no effect of a job that was cancelled while it ran', async () => {
    let reported = false;
    const cancelled: ItemKind = {
      type: 'item',
      async run({ seq }) {
        await store.write((tx) => tx.jobs.complete(seq));
        return async (tx) => {
          await tx.settings.set('effect', 'late');
          return () => {
            reported = true;
          };
        };
      },
    };
    const pool = poolOf(cancelled);
    await addJob();

    await pool.drain();

    expect({ effect: await setting('effect'), reported, faults }).toEqual({
      effect: undefined,
      reported: false,
      faults: [],
    });
  });

  it('runs one job of a sweep again until nothing is left', async () => {
    const due = ['a', 'b', 'c'];
    const done: (string | undefined)[] = [];
    const pool = poolOf({
      type: 'sweep',
      async run(_, { runAt }) {
        done.push(due.shift());
        return due.length > 0 ? runAt : null;
      },
    });
    await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));

    await pool.drain();

    expect(done).toEqual(['a', 'b', 'c']);
    expect({ pending: await pendingJobs(store, 'email.parse'), faults }).toEqual({ pending: 0, faults: [] });
  });
});
