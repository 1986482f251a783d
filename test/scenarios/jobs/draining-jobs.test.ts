import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommitSweep, JobKind } from '../../../src/core/jobs/job-kinds.js';
import { Scheduler } from '../../../src/core/jobs/scheduler.js';
import type { Clock } from '../../../src/core/ports.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const DELAY = 10;

describe('draining jobs', () => {
  let now: number;
  let timers: ManualTimers;
  let store: Store;
  let log: string[];
  let jobTurns: number;
  let scheduler: Scheduler;

  beforeEach(async () => {
    now = START;
    timers = new ManualTimers();
    store = openSqliteStore('memory');
    log = [];
    const clock = {
      now: () => now,
      systemNow: () => now,
      after: timers.after.bind(timers),
      at: (instant: number, callback: () => void) => timers.after(instant - now, callback),
    } as Clock;
    const mail: JobKind = {
      type: 'item',
      async run() {
        log.push('job starts');
        await turns(jobTurns);
        return async () => {
          log.push('job ends');
        };
      },
    };
    const sweep: CommitSweep = {
      start() {},
      async drain() {
        log.push('sweep');
        await untilDue();
      },
      async stop() {},
    };
    const onInternalError = (error: unknown) => {
      throw error;
    };
    const pools = [{ size: 1, kinds: { 'email.parse': mail } }];
    scheduler = new Scheduler({ store, clock, onInternalError }, { pools, sweeps: [sweep] });
    await store.write((tx) =>
      tx.jobs.add({ kind: 'email.parse', runAt: START + DELAY, payload: { emailId: 'msg_1' } }),
    );
  });
  afterEach(async () => {
    await scheduler.stop();
    await store.close();
  });

  /** Advances time until the job is due, and gives it turns of the event loop to start in. */
  async function untilDue(): Promise<void> {
    now = START + DELAY;
    timers.fire(DELAY);
    await turns(20);
  }

  it.each([
    ['is still running', 100],
    ['has ended', 0],
  ])('sweeps again after a job that started meanwhile and %s', async (_, turnsOfJob) => {
    jobTurns = turnsOfJob;

    await scheduler.drain();

    expect(log).toEqual(['sweep', 'job starts', 'job ends', 'sweep']);
  });
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}
