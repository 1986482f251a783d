import { expect, it } from 'vitest';
import { ServiceClock } from '../../../src/clock/clock.js';
import { createIds } from '../../../src/clock/ids.js';
import { Dispatcher } from '../../../src/core/delivery/dispatcher.js';
import type { ItemKind } from '../../../src/core/jobs/job-kinds.js';
import { JobPool } from '../../../src/core/jobs/job-pool.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';

/** Tests that a loop that runs jobs survives any error of the store: it is reported, and the loop retries. */

const BROKEN = new TypeError('broken');

/** Runs delayed work at once, when the test requests it. */
class HeldClock extends ServiceClock {
  readonly held: (() => void)[] = [];
  override after(_: number, callback: () => void): () => void {
    this.held.push(callback);
    return () => {};
  }
}

it('runs jobs again after an error that is not of the disk', async () => {
  const store = openSqliteStore('memory');
  const clock = new HeldClock();
  let broken = true;
  const failing: Store = Object.assign(Object.create(store), {
    read: store.read,
    write: (work: Parameters<Store['write']>[0]) => (broken ? Promise.reject(BROKEN) : store.write(work)),
  });
  const faults: unknown[] = [];
  const ran: number[] = [];
  const onInternalError = (error: unknown) => faults.push(error);
  const mail: ItemKind = {
    type: 'item',
    run:
      async ({ seq }) =>
      async () =>
        void ran.push(seq),
  };
  const pool = new JobPool(
    { store: failing, clock, onInternalError },
    { size: 1, kinds: { 'email.parse': mail } },
    { idle() {}, ran() {} },
  );
  await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));

  await expect(pool.drain()).rejects.toBe(BROKEN);
  expect(faults).toEqual([BROKEN]);
  broken = false;
  for (const callback of clock.held.splice(0)) callback();
  await pool.drain();

  expect(ran).toEqual([1]);
  await pool.stop();
  await store.close();
});

it('dispatches events again after an error that is not of the disk', async () => {
  const store = openSqliteStore('memory');
  const clock = new HeldClock();
  const faults: unknown[] = [];
  const read = { ...store.read, webhooks: { ...store.read.webhooks, hasActive: () => Promise.reject(BROKEN) } };
  const failing: Store = Object.assign(Object.create(store), { read });
  const onInternalError = (error: unknown) => faults.push(error);
  const dispatcher = new Dispatcher({ store: failing, clock, ids: createIds(), onInternalError });

  await dispatcher.drain();
  await dispatcher.drain();

  // Reported once, however often it is retried.
  expect(faults).toEqual([BROKEN]);
  expect(clock.held.length).toBeGreaterThan(0);
  await dispatcher.stop();
  await store.close();
});
