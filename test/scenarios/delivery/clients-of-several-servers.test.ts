import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Core } from '../../../src/core/context.js';
import { expireListeners, keepAlive } from '../../../src/core/delivery/listeners.js';
import { Memory } from '../../../src/core/inbox/tickets.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { deliveryOf, eventOf, webhookOf } from '../../storage/records.js';
import { pendingJobs } from '../../support/pending-jobs.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

/** Tests which temporary webhooks a server disables on a database that other servers use, too. */

const MINUTE_MS = 60_000;
const RENEWAL_MS = 20_000;

let database: Store;
let now: number;
let kept: Memory;

beforeEach(() => {
  database = openSqliteStore('memory');
  now = Date.UTC(2026, 4, 17, 12);
  kept = new Memory({ systemNow: () => now });
});
afterEach(() => database.close());

/** A server on the database. Its timers fire when the test calls `pass`. */
function server() {
  const timers = new ManualTimers();
  const store = { read: database.read, write: database.write.bind(database), shared: { kept } };
  const clock = { now: () => now, systemNow: () => now, after: timers.after.bind(timers) };
  const core = { store, clock } as unknown as Core;
  /** Lets time pass, and fires the timers that are set for at most `upTo` milliseconds. */
  async function pass(milliseconds: number, upTo = milliseconds): Promise<void> {
    now += milliseconds;
    timers.fire(upTo);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  return { core, pass };
}

const subscribe = (id: string) =>
  database.write((tx) => tx.webhooks.insert(webhookOf(id, { ephemeral: true, createdAt: now })));
const isActive = async (id: string) => (await database.read.webhooks.find(id))?.active;

it('disables a webhook without a client after a minute, also when the server starts', async () => {
  await subscribe('whk_gone');
  const { core, pass } = server();

  const stop = await expireListeners(core);
  expect(await isActive('whk_gone')).toBe(true);
  await pass(MINUTE_MS);
  expect(await isActive('whk_gone')).toBe(false);
  stop();
});

it('does not disable a webhook whose client subscribes during the check', async () => {
  const { core, pass } = server();
  const stop = await expireListeners(core);
  await subscribe('whk_new');
  await pass(MINUTE_MS);
  await keepAlive(core, 'whk_new', () => {});

  await pass(RENEWAL_MS, MINUTE_MS);
  expect(await isActive('whk_new')).toBe(true);
  stop();
});

it('activates a webhook again that was disabled while its server could not reach the database', async () => {
  await subscribe('whk_back');
  const [own, other] = [server(), server()];
  await database.write(async (tx) => {
    const { seq } = await tx.events.append(eventOf('evt_1'), undefined);
    await tx.deliveries.insert(deliveryOf('dlv_1', { eventSeq: seq, webhookId: 'whk_back' }));
  });
  let activated = 0;
  const stopRenewal = await keepAlive(own.core, 'whk_back', () => {
    activated += 1;
  });
  const stop = await expireListeners(other.core);
  await other.pass(MINUTE_MS);
  await other.pass(MINUTE_MS);
  expect(await isActive('whk_back')).toBe(false);

  expect(activated).toBe(0);
  await own.pass(RENEWAL_MS);
  expect(await isActive('whk_back')).toBe(true);
  expect(activated).toBe(1);
  // Its attempt was skipped while the webhook was disabled.
  expect(await pendingJobs(database, 'webhook.attempt')).toBe(1);
  stopRenewal();
  stop();
});
