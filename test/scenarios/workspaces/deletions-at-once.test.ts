import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import type { Store } from '../../../src/core/store.js';
import { deleteWorkspace, ExpirySweep } from '../../../src/core/workspaces/ending.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf, webhookOf } from '../../storage/records.js';
import { Machine, ManualClock } from '../../support/stepped-clock.js';

/** Deletions of the same workspace by several calls and servers, of which any may stop in between. */

const machine = new Machine();
let clock: ManualClock;
let store: Store;
const faults: unknown[] = [];

beforeEach(() => {
  clock = new ManualClock(machine);
  store = openSqliteStore('memory');
});
afterEach(async () => {
  await store.close();
  expect(faults).toEqual([]);
});

const deps = (parsePending = async () => {}) => ({
  ...{ store, clock, ids: createIds(), parsePending },
  onInternalError: (error: unknown) => faults.push(error),
});

/** Adds the workspace `shop` with an email and a webhook, named after `id`. */
const add = (id: string, expiresAt: number | null = null) =>
  store.write(async (tx) => {
    const limits = { keep: null, maxAgeMs: null, monthlyQuota: null };
    await tx.workspaces.insert({ name: 'shop', addresses: [], expiresAt, createdAt: 0, ...limits });
    await tx.emails.insert(emailOf(`msg_${id}`, { workspace: 'shop' }), [], []);
    await tx.webhooks.insert(webhookOf(`whk_${id}`, { workspace: 'shop' }));
  });

async function left() {
  const { items } = await store.read.emails.list({}, { limit: 10, offset: 0 });
  const webhooks = await store.read.webhooks.list();
  const workspaces = [...(await store.read.workspaces.list()), ...(await store.read.workspaces.ended())];
  return [...items, ...webhooks].map(({ id }) => id).concat(workspaces.length > 0 ? ['shop'] : []);
}

/** Lets another server delete the workspace, and a client create it again. */
async function replace() {
  await deleteWorkspace(deps(), 'shop');
  await add('new');
}

it('delete nothing of a new workspace with the same name', async () => {
  await add('old');
  await deleteWorkspace(deps(replace), 'shop');
  expect(await left()).toEqual(['msg_new', 'whk_new', 'shop']);
});

it('delete no new workspace in place of one that has expired', async () => {
  await add('old', machine.now);
  const { workspaces } = store.read;
  const list = vi.spyOn(workspaces, 'list').mockImplementationOnce(async () => {
    list.mockRestore();
    const before = await workspaces.list();
    await replace();
    return before;
  });
  await new ExpirySweep(deps()).drain();
  expect(await left()).toEqual(['msg_new', 'whk_new', 'shop']);
});

it('continue after another server has stopped in between', async () => {
  const sweep = new ExpirySweep(deps());
  sweep.start();
  await expect.poll(() => clock.timers.size).toBe(1);
  await add('old');
  await store.write((tx) => tx.workspaces.end('shop'));
  clock.runTimers();
  await expect.poll(left).toEqual([]);
  await sweep.stop();
});

it('can be asked for again after one has failed', async () => {
  await add('old');
  const failing = deleteWorkspace(
    deps(() => Promise.reject(new Error('no space'))),
    'shop',
  );
  await expect(failing).rejects.toThrow('no space');
  expect(await left()).toEqual(['msg_old', 'whk_old', 'shop']);
  await deleteWorkspace(deps(), 'shop');
  expect(await left()).toEqual([]);
});
