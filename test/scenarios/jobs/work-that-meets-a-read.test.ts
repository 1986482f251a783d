import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ItemKind } from '../../../src/core/jobs/job-kinds.js';
import { Scheduler } from '../../../src/core/jobs/scheduler.js';
import { UnderWay } from '../../../src/core/jobs/under-way.js';
import type { Clock } from '../../../src/core/ports.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

/**
 * Tests what the scheduler does while it reads which job is next. With PostgreSQL, others commit meanwhile, and the
 * answer is older than their commits.
 */

const START = Date.parse('2026-01-01T00:00:00Z');
const DELAY = 10;

let now: number;
let timers: ManualTimers;
let underWay: UnderWay;
let store: Store;
let reads: HeldReads;
let scheduler: Scheduler;
/** The names of jobs that have started, and what ends each. */
let started: string[];
let ends: Map<string, () => void>;

beforeEach(() => {
  now = START;
  timers = new ManualTimers();
  const clock = {
    now: () => now,
    systemNow: () => now,
    after: timers.after.bind(timers),
    at: (instant: number, callback: () => void) => timers.after(instant - now, callback),
  } as Clock;
  started = [];
  ends = new Map();
  underWay = new UnderWay(clock);
  store = openSqliteStore('memory');
  reads = new HeldReads(store);
  const parse: ItemKind<'email.parse'> = {
    type: 'item',
    run: ({ payload }) => underWay.track((start) => perform(payload.emailId, start)),
  };
  const pools = [{ size: 4, underWay, kinds: { 'email.parse': parse } }];
  const onInternalError = (error: unknown) => {
    throw error;
  };
  scheduler = new Scheduler({ store: reads.store, clock, onInternalError }, { pools, sweeps: [] });
});

afterEach(async () => {
  for (const end of ends.values()) end();
  reads.release();
  await scheduler.stop();
  await store.close();
});

/** Runs until the test ends the job. A job named `x, then y` adds the job `y`. */
async function perform(name: string, start: (timeoutMs: number, cut: () => void) => void) {
  start(30_000, () => {});
  started.push(name);
  await new Promise<void>((resolve) => ends.set(name, resolve));
  const [, next] = name.split(', then ');
  return async (tx: Parameters<Parameters<Store['write']>[0]>[0]) => {
    if (next) await tx.jobs.add({ kind: 'email.parse', runAt: now, payload: { emailId: next } });
  };
}

const add = (name: string, runAt = START) =>
  store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt, payload: { emailId: name } }));

it('plans a job that was committed while the read before was under way', async () => {
  reads.hold();
  scheduler.start();
  await reads.arrived;
  await add('late', START + DELAY);
  await turns();

  reads.release();
  await turns();
  now += DELAY;
  timers.fire(DELAY);
  await turns();

  expect(started).toEqual(['late']);
});

it('drains a job that another adds, while a third one waits', async () => {
  await add('slow');
  await add('first, then second');
  const drained = scheduler.drain();
  await turns();
  expect(started).toEqual(['slow', 'first, then second']);

  ends.get('first, then second')?.();
  await turns();

  expect(started).toEqual(['slow', 'first, then second', 'second']);
  for (const end of ends.values()) end();
  await drained;
});

it('waits with patience for a job that starts while a drain reads what is left', async () => {
  scheduler.start();
  await turns();
  reads.hold();
  let isDrained = false;
  const drained = scheduler.drain(now + 1_000).then(() => {
    isDrained = true;
  });
  await reads.arrived;
  await add('late');
  await turns();
  expect(started).toEqual(['late']);

  reads.release();
  await turns();

  expect(isDrained).toBe(false);
  ends.get('late')?.();
  await drained;
});

it('stops after the read that is under way, which would fail once the store is closed', async () => {
  reads.hold();
  scheduler.start();
  await reads.arrived;
  let hasStopped = false;
  const stopped = scheduler.stop().then(() => {
    hasStopped = true;
  });
  await turns();
  expect(hasStopped).toBe(false);

  reads.release();
  await stopped;
});

/** Gives everything that needs no time its turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

/** Keeps back the answers to which job is next, which are those at the time of the question. */
class HeldReads {
  readonly store: Store;
  /** Resolves when the first question since `hold` was asked. */
  arrived = Promise.resolve();
  #arrive = () => {};
  #held: Promise<void> = Promise.resolve();
  release = () => {};

  constructor(store: Store) {
    const { jobs } = store.read;
    const next: typeof jobs.next = async (...values) => {
      const answer = await jobs.next(...values);
      this.#arrive();
      await this.#held;
      return answer;
    };
    const read = { ...store.read, jobs: { ...jobs, next } };
    this.store = {
      ...{ read, write: store.write.bind(store) },
      ...{ beforeCommit: store.beforeCommit.bind(store), onCommit: store.onCommit.bind(store) },
    } as Store;
  }

  hold(): void {
    this.arrived = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#held = new Promise((resolve) => {
      this.release = resolve;
    });
  }
}
