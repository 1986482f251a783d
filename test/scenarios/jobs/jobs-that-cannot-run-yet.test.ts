import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import type { ItemKind, JobKind } from '../../../src/core/jobs/job-kinds.js';
import { JobPool } from '../../../src/core/jobs/job-pool.js';
import { Inbound } from '../../../src/core/mail/inbound/inbound.js';
import { type MessageParser, ProcessorUnavailableError } from '../../../src/core/ports.js';
import { STORE_RETRY_MS, type Store, StoreUnavailableError } from '../../../src/core/store.js';
import { WarningTally } from '../../../src/core/streams/warning-tally.js';
import { readMessageHeader } from '../../../src/mime/processing.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { pendingJobs } from '../../support/pending-jobs.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const NO_WORKER = new ProcessorUnavailableError('No worker process could be started.');

describe('a job that cannot run yet', () => {
  const timers = new ManualTimers();
  const clock = Object.assign(timers, { now: () => NOW, systemNow: () => NOW }) as unknown as ConstructorParameters<
    typeof JobPool
  >[0]['clock'];
  let faults: unknown[];
  let store: Store;
  beforeEach(() => {
    faults = [];
    store = openSqliteStore('memory');
  });
  afterEach(() => store.close());

  function poolOf(name: string, kind: JobKind, isStopping = false): JobPool {
    return new JobPool(
      { store, clock, onInternalError: (error) => faults.push(error), isStopping: () => isStopping },
      { size: 1, kinds: { [name]: kind } },
      { idle() {}, ran() {} },
    );
  }

  const item = (run: ItemKind['run']): ItemKind => ({ type: 'item', run });

  const leaseOf = async (kind: string) => (await store.read.jobs.first([kind]))?.leaseUntil;

  it.each([NO_WORKER, new StoreUnavailableError('The disk is full.')])('runs again after $name', async (error) => {
    const errors: Error[] = [error];
    let runs = 0;
    const mail = item(async () => {
      runs += 1;
      const next = errors.pop();
      if (next) throw next;
      return async () => {};
    });
    const pool = poolOf('email.parse', mail);
    await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));

    await pool.drain();
    expect([runs, await pendingJobs(store, 'email.parse')]).toEqual([1, 1]);
    timers.fire(STORE_RETRY_MS);
    await expect.poll(() => leaseOf('email.parse')).toBe(0);
    await pool.drain();

    expect([runs, await pendingJobs(store, 'email.parse')]).toEqual([2, 0]);
    expect(faults).toEqual([error]);
    await pool.stop();
  });

  it('is free for the next start when the server stops before it runs again', async () => {
    const pool = poolOf(
      'email.parse',
      item(() => Promise.reject(NO_WORKER)),
      true,
    );
    await store.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: 0, payload: { emailId: 'msg_1' } }));
    await pool.drain();
    expect(await leaseOf('email.parse')).toBeGreaterThan(NOW);
    await pool.stop();
    expect([await pendingJobs(store, 'email.parse'), await leaseOf('email.parse')]).toEqual([1, 0]);
    expect(faults).toEqual([]);
  });

  it('parses messages again when no worker could be started, and reports the reason', async () => {
    const parser: MessageParser = {
      quickly: () => undefined,
      header: readMessageHeader,
      parse: () => Promise.reject(NO_WORKER),
    };
    const onInternalError = (error: unknown) => faults.push(error);
    const tally = {
      warningTally: new WarningTally(),
      announcedDomains: new Set<string>(),
      strict: false,
      autoRelease: [],
    };
    const inbound = new Inbound({
      store,
      clock,
      ids: createIds(),
      ...tally,
      deliveryDelayMs: 0,
      parser,
      showContent: Object.assign(async () => undefined, { atOnce: () => undefined }),
      onInternalError,
    });
    const pool = poolOf('email.parse', inbound.parseKind);
    await inbound.accept({ mailFrom: 'app@x.test', recipients: ['ada@x.test'], bytes: Buffer.from('a message') });

    await pool.drain();
    timers.fire(STORE_RETRY_MS);
    await expect.poll(() => leaseOf('email.parse')).toBe(0);
    await pool.drain();

    expect(faults).toEqual([NO_WORKER, NO_WORKER]);
    expect(await pendingJobs(store, 'email.parse')).toBe(1);
    await pool.stop();
  });
});
