import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClockController } from '../../../src/core/jobs/clock-controller.js';
import type { JobKind, JobKinds } from '../../../src/core/jobs/job-kinds.js';
import { Scheduler } from '../../../src/core/jobs/scheduler.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { Machine, SteppedClock } from '../../support/stepped-clock.js';

/**
 * Runs any jobs that schedule jobs, any advances of time, several processes and crashes: every due job runs, once, in
 * due order, each at its own time. The jobs run on the real store; only the machine's time is simulated.
 */

interface Planned {
  /** The delay from the run of the job that schedules it, or from the start. */
  delay: number;
  schedules: Planned[];
}

interface Ran {
  name: string;
  runAt: number;
  at: number;
}

const delays = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 90_000_000 }));

/** Returns a job with the jobs that it schedules, down to some depth. */
function planned(depth: number): fc.Arbitrary<Planned> {
  const schedules = depth === 0 ? fc.constant<Planned[]>([]) : fc.array(planned(depth - 1), { maxLength: 2 });
  return fc.record({ delay: delays, schedules });
}
const plans = fc.array(planned(3), { minLength: 1, maxLength: 5 });
const advances = fc.array(fc.oneof(fc.integer({ min: 0, max: 6_000 }), fc.integer({ min: 0, max: 90_000_000 })), {
  maxLength: 4,
});

/** Returns the due time of every job of a plan, named by its position in the plan. */
function dueTimes(jobs: Planned[], start: number, prefix = ''): Map<string, number> {
  return new Map(
    jobs.flatMap(({ delay, schedules }, place) => {
      const name = `${prefix}/${place}`;
      return [[name, start + delay] as const, ...dueTimes(schedules, start + delay, name)];
    }),
  );
}

interface Process {
  store: Store;
  clock: SteppedClock;
  scheduler: Scheduler;
  time: ClockController;
  faults: unknown[];
}

/** Starts a process on a database: what src/app connects, with jobs that record that they ran. */
async function startProcess(file: string, machine: Machine): Promise<Process> {
  const store = openSqliteStore({ file });
  const clock = new SteppedClock(machine);
  const faults: unknown[] = [];
  const kind: JobKind = {
    type: 'item',
    run: async ({ runAt, payload }) => {
      const { name, schedules } = payload as unknown as { name: string; schedules: Planned[] };
      return async (tx) => {
        const log = JSON.parse((await tx.settings.get('ran', String)) ?? '[]') as Ran[];
        await tx.settings.set('ran', JSON.stringify([...log, { name, runAt, at: clock.now() }]));
        await addJobs(tx.jobs, schedules, clock.now(), name);
      };
    },
  };
  const kindsOf = (name: string): JobKinds => ({ [name]: kind });
  const pools = [
    { size: 4, kinds: kindsOf('wide') },
    { size: 1, kinds: kindsOf('narrow') },
  ];
  const onInternalError = (fault: unknown) => faults.push(fault);
  const scheduler = new Scheduler({ store, clock, onInternalError }, { pools, sweeps: [] });
  const time = new ClockController({ store, clock, scheduler, onMovedBack: async () => {} });
  await time.restore();
  return { store, clock, scheduler, time, faults };
}

async function addJobs(
  jobs: { add(job: { kind: string; runAt: number; payload: unknown }): Promise<void> },
  plan: Planned[],
  now: number,
  prefix = '',
): Promise<void> {
  for (const [place, { delay, schedules }] of plan.entries()) {
    const kind = place % 2 === 0 ? 'wide' : 'narrow';
    await jobs.add({ kind, runAt: now + delay, payload: { name: `${prefix}/${place}`, schedules } });
  }
}

async function logOf({ store }: Process): Promise<Ran[]> {
  return JSON.parse((await store.read.settings.get('ran', String)) ?? '[]') as Ran[];
}

async function stop({ scheduler, store }: Process): Promise<void> {
  await scheduler.stop();
  await store.close();
}

function expectInOrder(log: Ran[]): void {
  expect(log.map(({ at }) => at)).toEqual(log.map(({ at }) => at).sort((a, b) => a - b));
  expect(new Set(log.map(({ name }) => name)).size).toBe(log.length);
}

/** Further ahead than any plan reaches. */
const TO_THE_END = 40 * 90_000_000;

describe('the scheduler', () => {
  it('runs whatever becomes due during any advances, once, in order, each at its own time', async () => {
    await fc.assert(
      fc.asyncProperty(plans, advances, async (plan, steps) => {
        const directory = temporaryDirectory();
        const process = await startProcess(join(directory.path, 'mail.db'), new Machine());
        const start = process.clock.now();
        await process.store.write((tx) => addJobs(tx.jobs, plan, start));
        const due = dueTimes(plan, start);

        for (const step of steps) {
          await process.time.advance(step);
          const log = await logOf(process);
          expectInOrder(log);
          const reached = [...due].filter(([, at]) => at <= process.clock.now());
          expect(new Map(log.map(({ name, at }) => [name, at]))).toEqual(new Map(reached));
        }

        expect(process.faults).toEqual([]);
        await stop(process);
        directory.remove();
      }),
      { numRuns: 25 },
    );
  });

  it('does so with two processes on one database that advance at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(plans, advances, advances, async (plan, ofFirst, ofSecond) => {
        const directory = temporaryDirectory();
        const file = join(directory.path, 'mail.db');
        const machine = new Machine();
        const first = await startProcess(file, machine);
        const second = await startProcess(file, machine);
        const start = first.clock.now();
        await first.store.write((tx) => addJobs(tx.jobs, plan, start));

        const advance = async ({ time }: Process, steps: number[]) => {
          for (const step of steps) await time.advance(step);
        };
        await Promise.all([advance(first, ofFirst), advance(second, ofSecond)]);
        await second.time.advance(TO_THE_END);

        const log = await logOf(first);
        expectInOrder(log);
        expect(new Map(log.map(({ name, at }) => [name, at]))).toEqual(dueTimes(plan, start));
        expect([first.faults, second.faults]).toEqual([[], []]);
        await Promise.all([stop(first), stop(second)]);
        directory.remove();
      }),
      { numRuns: 20 },
    );
  });

  it('does so when processes die in the middle of an advance', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.array(fc.nat(60), { minLength: 1, maxLength: 3 }), async (plan, runs) => {
        const directory = temporaryDirectory();
        const machine = new Machine();
        let file = join(directory.path, 'mail.db');
        let process = await startProcess(file, machine);
        const start = process.clock.now();
        await process.store.write((tx) => addJobs(tx.jobs, plan, start));
        const dead: Process[] = [];

        for (const [run, turns] of runs.entries()) {
          const { time } = process;
          const advancing = time.advance(TO_THE_END).catch(() => {});
          for (let turn = 0; turn < turns; turn += 1) await setImmediate();
          // The contents of the disk if the process is killed now.
          const left = join(directory.path, `${run}.db`);
          for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, left + suffix);
          dead.push(process);
          file = left;
          process = await startProcess(file, machine);
          await advancing;
        }
        await process.time.advance(TO_THE_END);

        const log = await logOf(process);
        expectInOrder(log);
        expect(new Set(log.map(({ name }) => name))).toEqual(new Set(dueTimes(plan, start).keys()));
        for (const { at, runAt } of log) expect(at).toBeGreaterThanOrEqual(runAt);
        await Promise.all([...dead, process].map(stop));
        directory.remove();
      }),
      { numRuns: 20 },
    );
  });
});
