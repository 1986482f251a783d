import { expect, it } from 'vitest';
import { JobPool } from '../../../src/core/jobs/job-pool.js';
import { LEASE_MS } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { Machine, ManualClock } from '../../support/stepped-clock.js';

it('run once, although another server looks for jobs whose leases have ended', async () => {
  const machine = new Machine();
  const store = openSqliteStore('memory');
  const faults: unknown[] = [];
  const ran: string[] = [];
  let end = () => {};
  const release = new Promise<void>((resolve) => {
    end = resolve;
  });
  /** A pool that is full with one job. */
  const serverOf = (name: string) => {
    const clock = new ManualClock(machine);
    const run = async () => {
      ran.push(name);
      await release;
      return async () => {};
    };
    const deps = { store, clock, onInternalError: (error: unknown) => faults.push(error) };
    const pool = new JobPool(
      deps,
      { size: 1, kinds: { 'email.parse': { type: 'item', run } } },
      { idle() {}, ran() {} },
    );
    return { clock, pool };
  };
  const [one, other] = [serverOf('one'), serverOf('other')];
  const leaseUntil = async () => (await store.read.jobs.first(['email.parse']))?.leaseUntil ?? 0;
  await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));

  one.pool.kick();
  await expect.poll(() => ran).toEqual(['one']);
  for (let passed = 0; passed < 5 * LEASE_MS; passed += LEASE_MS / 4) {
    machine.now += LEASE_MS / 4;
    one.clock.runTimers();
    await expect.poll(leaseUntil).toBeGreaterThan(machine.now + LEASE_MS / 4);
    await other.pool.drain();
  }
  end();
  await one.pool.drain();

  expect({ ran, faults }).toEqual({ ran: ['one'], faults: [] });
  expect(await store.read.jobs.first(['email.parse'])).toBeUndefined();
  for (const { pool } of [one, other]) await pool.stop();
  await store.close();
});

it('begin in time after the machine slept, when the time of a timer did not pass', () => {
  const machine = new Machine();
  const clock = new ManualClock(machine);
  const due = machine.now + 3_600_000;
  let began = 0;
  clock.at(due, () => {
    began = machine.now;
  });
  machine.now = due;
  expect(Math.max(...Array.from(clock.timers, ({ milliseconds }) => milliseconds))).toBeLessThanOrEqual(60_000);
  clock.runTimers();
  expect(began).toBe(due);
});
