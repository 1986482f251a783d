import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Retention } from '../../../../src/contract/vocabulary/retention.js';
import { RetentionSweep } from '../../../../src/core/mail/retention.js';
import type { Email } from '../../../../src/core/model/emails.js';
import type { Store } from '../../../../src/core/store.js';
import { openSqliteStore } from '../../../../src/storage/sqlite/store.js';
import { emailOf } from '../../../storage/records.js';
import { startApp } from '../../../support/servers/app.js';
import { send } from '../../../support/simulation.js';
import { Machine, ManualClock } from '../../../support/stepped-clock.js';

const DAY_MS = 86_400_000;
const ADDRESSES = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };

describe('a store with a retention', () => {
  const machine = new Machine();
  let clock: ManualClock;
  let store: Store;
  let faults: unknown[];

  beforeEach(() => {
    clock = new ManualClock(machine);
    store = openSqliteStore('memory');
    faults = [];
  });
  afterEach(async () => {
    await store.close();
    expect(faults).toEqual([]);
  });

  const sweepOf = (retention: Partial<Retention>, extractPending = async () => {}) =>
    new RetentionSweep({
      extractPending,
      store,
      clock,
      retention: { keep: null, maxAgeMs: null, keepIf: null, ...retention },
      onInternalError: (error) => faults.push(error),
    });

  /** Inserts emails, oldest first. They are delivered unless their fields say otherwise. */
  const insert = (...emails: (Partial<Email> & { id: string })[]) =>
    store.write(async (tx) => {
      for (const { id, ...fields } of emails) {
        const done = { status: 'delivered', pending: 0, capturedAt: machine.now } as const;
        await tx.emails.insert(emailOf(id, { ...done, ...fields }), [], []);
      }
    });
  const ids = async () => {
    const { items } = await store.read.emails.list({}, { limit: 1_000, offset: 0 });
    return items.map(({ id }) => id).reverse();
  };

  it('applies the limits to each workspace, and those of a workspace in place of the server’s', async () => {
    const limits = { addresses: [], expiresAt: null, monthlyQuota: null, createdAt: 0 };
    await store.write(async (tx) => {
      await tx.workspaces.insert({ name: 'shop', keep: null, maxAgeMs: null, ...limits });
      await tx.workspaces.insert({ name: 'few', keep: 1, maxAgeMs: null, ...limits });
      await tx.workspaces.insert({ name: 'young', keep: null, maxAgeMs: DAY_MS, ...limits });
    });
    const all = [null, 'shop', 'few', 'young'].flatMap((workspace) =>
      Array.from({ length: 4 }, (_, index) => ({ id: `${workspace}_${index}`, workspace })),
    );
    await insert(...all);
    await sweepOf({ keep: 3 }).drain();
    const kept = (name: string, from: number) => [1, 2, 3].slice(from - 1).map((index) => `${name}_${index}`);
    expect(await ids()).toEqual([...kept('null', 1), ...kept('shop', 1), ...kept('few', 3), ...kept('young', 1)]);
    await store.write((tx) => tx.emails.delete(['shop_3']));
    machine.now += 2 * DAY_MS;
    await insert({ id: 'young_new', workspace: 'young' }, { id: 'shop_new', workspace: 'shop' });
    await sweepOf({ keep: 3, maxAgeMs: 7 * DAY_MS }).drain();
    const left = [...kept('null', 1), 'shop_1', 'shop_2', 'few_3', 'young_new', 'shop_new'];
    expect(await ids()).toEqual(left);
    machine.now += 6 * DAY_MS;
    await sweepOf({ maxAgeMs: 7 * DAY_MS }).drain();
    expect(await ids()).toEqual(['shop_new']);
  });

  it('keeps the newest emails', async () => {
    await insert(...Array.from({ length: 200 }, (_, index) => ({ id: `msg_${index}` })));
    await sweepOf({ keep: 3 }).drain();
    expect(await ids()).toEqual(['msg_197', 'msg_198', 'msg_199']);
  });

  it('deletes by age on the machine’s clock, also after that clock was set back', async () => {
    await insert({ id: 'msg_future', capturedAt: machine.now + 300 * DAY_MS }, { id: 'msg_old' });
    machine.now += 8 * DAY_MS;
    await insert({ id: 'msg_new' });
    const sweep = sweepOf({ maxAgeMs: 7 * DAY_MS });

    clock.set(machine.now + 365 * DAY_MS);
    await sweep.drain();
    expect(await ids()).toEqual(['msg_future', 'msg_new']);

    machine.now += 7 * DAY_MS + 1;
    await sweep.drain();
    expect(await ids()).toEqual(['msg_future']);
  });

  it('keeps emails that are not sent, delivered or parsed yet, and deletes nothing newer instead', async () => {
    await insert({ id: 'msg_scheduled', status: 'scheduled' }, { id: 'msg_pending', status: 'sent', pending: 1 });
    await store.write(async (tx) => {
      const seq = await tx.received.insert({ mailFrom: 'a@x.test', recipients: [], bytes: Buffer.of(1) });
      await tx.received.addUnparsed(seq, { sentTo: 0, attempts: 0 });
      await tx.emails.insertReceived(seq, emailOf('msg_unparsed', { status: 'sent', pending: 0 }), [], []);
    });
    await insert({ id: 'msg_1' }, { id: 'msg_2' }, { id: 'msg_3' });
    machine.now += 2 * DAY_MS;

    await sweepOf({ keep: 2 }).drain();
    expect(await ids()).toEqual(['msg_scheduled', 'msg_pending', 'msg_unparsed', 'msg_2', 'msg_3']);

    await sweepOf({ keep: 4, maxAgeMs: DAY_MS }).drain();
    expect(await ids()).toEqual(['msg_scheduled', 'msg_pending', 'msg_unparsed']);

    await store.write((tx) => tx.emails.setStatus('msg_pending', { status: 'delivered', pending: 0 }));
    await sweepOf({ keep: 1 }).drain();
    expect(await ids()).toEqual(['msg_scheduled', 'msg_unparsed']);
  });

  it('keeps emails that match a query, until they no longer match', async () => {
    const tagged = (id: string) => ({ id, tags: ['keep'], readAt: null });
    await insert(...Array.from({ length: 70 }, (_, index) => tagged(`msg_kept_${index}`)), { id: 'msg_1' });
    await insert(tagged('msg_2'), { id: 'msg_3' });
    const sweep = sweepOf({ keep: 1, maxAgeMs: DAY_MS, keepIf: 'tag:keep -is:read' });
    await sweep.drain();
    expect((await ids()).slice(-3)).toEqual(['msg_kept_69', 'msg_2', 'msg_3']);
    expect(await ids()).toHaveLength(72);

    await store.write((tx) => tx.emails.setRead('msg_kept_5', machine.now));
    machine.now += 2 * DAY_MS;
    await sweep.drain();
    expect(await ids()).toHaveLength(70);
    expect(await ids()).not.toContain('msg_kept_5');
    expect(await ids()).not.toContain('msg_3');
  });

  it('tests every email however many are kept, and however long that takes', async () => {
    const kept = Array.from({ length: 600 }, (_, index) => ({ id: `msg_kept_${index}`, tags: ['keep'] }));
    const ofShop = Array.from({ length: 3 }, (_, index) => ({ id: `shop_${index}`, workspace: 'shop' }));
    await insert(...ofShop, ...kept, { id: 'msg_last' });
    const takeAMinute = async () => {
      machine.now += 60_000;
    };

    await sweepOf({ keep: 1, keepIf: 'tag:keep' }, takeAMinute).drain();
    expect(await ids()).toEqual(['shop_2', ...kept.map(({ id }) => id), 'msg_last']);

    await insert({ id: 'msg_old' });
    machine.now += 2 * DAY_MS;
    await insert({ id: 'msg_new' });
    await sweepOf({ maxAgeMs: DAY_MS, keepIf: 'tag:keep' }, takeAMinute).drain();
    expect(await ids()).toEqual([...kept.map(({ id }) => id), 'msg_new']);
  });

  it('tests emails by age whose order is not that of their times', async () => {
    const kept = Array.from({ length: 600 }, (_, index) => ({ id: `msg_kept_${index}`, tags: ['keep'] }));
    await insert({ id: 'msg_first', capturedAt: machine.now + 1_000 }, ...kept);
    machine.now += 2 * DAY_MS;
    await sweepOf({ maxAgeMs: DAY_MS, keepIf: 'tag:keep' }).drain();
    expect(await ids()).not.toContain('msg_first');
    expect(await ids()).toHaveLength(kept.length);
  });

  it('keeps emails while a query depends on content that is not searched yet', async () => {
    await insert({ id: 'msg_1', html: '<p>Invoice</p>' }, { id: 'msg_2' });
    await sweepOf({ keep: 1, keepIf: 'text:invoice' }).drain();
    expect(await ids()).toEqual(['msg_1', 'msg_2']);
  });

  it('searches again after a commit, and when time has passed', async () => {
    const sweep = sweepOf({ keep: 2, maxAgeMs: DAY_MS });
    sweep.start();
    await sweep.drain();
    for (const id of ['msg_1', 'msg_2', 'msg_3', 'msg_4']) await insert({ id });
    // Several commits share one search.
    expect(Math.min(...Array.from(clock.timers, ({ milliseconds }) => milliseconds))).toBeLessThan(1_000);
    clock.runTimers();
    await expect.poll(ids).toEqual(['msg_3', 'msg_4']);

    machine.now += DAY_MS + 1;
    await expect.poll(() => clock.timers.size).toBeGreaterThan(0);
    clock.runTimers();
    await expect.poll(ids).toEqual([]);
    await sweep.stop();
  });
});

describe('a server with a retention', () => {
  it('reports it, and deletes in the background', async () => {
    const app = await startApp({ retention: { keep: 2, maxAgeMs: 7 * DAY_MS, keepIf: 'tag:keep' } });
    await app.listen(ADDRESSES);
    expect((await app.read('/_svc/info')).retention).toEqual({ keep: 2, max_age: '7d', keep_if: 'tag:keep' });
    for (const name of ['ada', 'bob', 'cyd']) await send(app, `${name}@example.test`);

    await expect
      .poll(async () => (await app.read('/v1/emails')).emails.map(({ to }: { to: string }) => to))
      .toEqual(['cyd@example.test', 'bob@example.test']);
    expect((await app.read('/v1/analytics/emails')).total.sent).toBe(3);
    await app.closeClean();
  });

  it('applies a limit that a workspace gets later', async () => {
    const app = await startApp();
    await app.listen(ADDRESSES);
    const { api_key } = (await app.call('POST', '/_svc/workspaces', { name: 'shop' })).json.data;
    const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
    for (let sent = 0; sent < 3; sent += 1)
      await app.call('POST', '/v1/emails', email, { authorization: `Bearer ${api_key}` });

    expect((await app.call('PATCH', '/_svc/workspaces/shop', { keep: 1 })).status).toBe(200);

    await expect.poll(async () => (await app.read('/v1/emails')).pagination.total).toBe(1);
    await app.closeClean();
  });

  it('deletes nothing when the service’s clock is advanced', async () => {
    const app = await startApp({ retention: { keep: null, maxAgeMs: DAY_MS, keepIf: null } });
    await app.listen(ADDRESSES);
    await send(app, 'ada@example.test');
    expect((await app.call('POST', '/_svc/clock/advance', { by: '300d' })).status).toBe(200);
    await app.drain();
    expect((await app.read('/v1/emails')).pagination.total).toBe(1);
    await app.closeClean();
  });

  it('keeps everything by default', async () => {
    const app = await startApp();
    expect((await app.read('/_svc/info')).retention).toEqual({ keep: null, max_age: null, keep_if: null });
    await app.closeClean();
  });
});
