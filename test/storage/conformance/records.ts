import { expect, it } from 'vitest';
import type { DeliveryFilter } from '../../../src/core/model/deliveries.js';
import {
  apiKeyOf,
  attemptOf,
  deliveryOf,
  domainOf,
  emailOf,
  eventOf,
  faultOf,
  NOON,
  ruleOf,
  suppressionOf,
  templateOf,
  webhookOf,
} from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

const ALL = { limit: 100, offset: 0 };

/** Tests templates, domains, keys, webhooks and their deliveries, suppressions, rules and settings. */
export function recordSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('keeps templates under unique names', async () => {
    const store = await open();
    const first = templateOf('tpl_1');
    const answers = await store.write(async (tx) => [
      await tx.templates.insert(first),
      await tx.templates.insert(templateOf('tpl_2')),
      await tx.templates.insert(templateOf('tpl_3', { name: first.name })),
      await tx.templates.update(templateOf('tpl_2', { name: first.name })),
      await tx.templates.update({ ...first, subject: 'New', updatedAt: NOON + 9 }),
    ]);
    expect(answers).toEqual([true, true, false, false, true]);
    const changed = { ...first, subject: 'New', updatedAt: NOON + 9 };
    expect(await store.read.templates.find('tpl_1')).toEqual(changed);
    expect(await store.read.templates.list(ALL)).toEqual({ items: [templateOf('tpl_2'), changed], total: 2 });
    expect(await store.read.templates.list({ limit: 1, offset: 1 })).toEqual({ items: [changed], total: 2 });
    await store.write((tx) => tx.templates.delete('tpl_1'));
    expect(await store.read.templates.find('tpl_1')).toBeUndefined();
    expect(await store.write((tx) => tx.templates.insert(templateOf('tpl_4', { name: first.name })))).toBe(true);
  });

  it('keeps each domain once', async () => {
    const store = await open();
    const domain = domainOf('a.test');
    expect(await store.write((tx) => tx.domains.insert(domain))).toBe(true);
    expect(await store.write((tx) => tx.domains.insert(domainOf('a.test', { dkimSelector: 'x' })))).toBe(false);
    await store.write((tx) => tx.domains.insert(domainOf('b.test')));
    const verified = {
      ...domain,
      status: 'verified',
      dkimVerified: false,
      spfVerified: true,
      dmarcVerified: false,
    } as const;
    await store.write((tx) => tx.domains.update(verified));
    expect(await store.read.domains.find('a.test')).toEqual(verified);
    expect(await store.read.domains.list()).toEqual([domainOf('b.test'), verified]);
    await store.write((tx) => tx.domains.delete('a.test'));
    expect(await store.read.domains.find('a.test')).toBeUndefined();
  });

  it('keeps API keys, found by id and by hash', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.apiKeys.insert(apiKeyOf('key_1'));
      await tx.apiKeys.insert(apiKeyOf('key_2'));
    });
    expect(await store.read.apiKeys.find('key_1')).toEqual(apiKeyOf('key_1'));
    expect(await store.read.apiKeys.findByHash('hash of key_2')).toEqual(apiKeyOf('key_2'));
    expect(await store.read.apiKeys.findByHash('hash')).toBeUndefined();
    expect((await store.read.apiKeys.list()).map(({ id }) => id)).toEqual(['key_2', 'key_1']);
    await store.write((tx) => tx.apiKeys.delete('key_2'));
    expect(await store.read.apiKeys.findByHash('hash of key_2')).toBeUndefined();
  });

  it('finds an API key as its last commit left it, even if it was looked up before', async () => {
    const store = await open();
    const find = async () => (await store.read.apiKeys.findByHash('hash of key_1'))?.id;
    await store.write((tx) => tx.apiKeys.insert(apiKeyOf('key_1')));
    expect(await find()).toBe('key_1');

    const undone = store.write(async (tx) => {
      await tx.apiKeys.delete('key_1');
      expect(await tx.apiKeys.findByHash('hash of key_1')).toBeUndefined();
      throw new Error('as asked for');
    });
    await expect(undone).rejects.toThrow('as asked for');
    expect(await find()).toBe('key_1');

    await store.write((tx) => tx.apiKeys.delete('key_1'));
    expect(await find()).toBeUndefined();

    const rolledBack = store.write(async (tx) => {
      await tx.apiKeys.insert(apiKeyOf('key_1'));
      expect((await tx.apiKeys.findByHash('hash of key_1'))?.id).toBe('key_1');
      throw new Error('as asked for');
    });
    await expect(rolledBack).rejects.toThrow('as asked for');
    expect(await find()).toBeUndefined();
  });

  it('keeps webhooks', async () => {
    const store = await open();
    const bare = webhookOf('whk_2', { secret: null, recipientPattern: null, headers: {}, events: [], active: false });
    await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_1'));
      await tx.webhooks.insert(bare);
      await tx.webhooks.insert(webhookOf('whk_3', { ephemeral: true }));
    });
    expect(await store.read.webhooks.find('whk_1')).toEqual(webhookOf('whk_1'));
    expect((await store.read.webhooks.list()).map(({ id }) => id)).toEqual(['whk_3', 'whk_2', 'whk_1']);
    const changed = webhookOf('whk_1', {
      url: 'https://other.test/',
      secret: 'new',
      active: false,
      sinceSeq: 8,
      updatedAt: NOON + 9,
    });
    await store.write(async (tx) => {
      await tx.webhooks.update(changed);
      await tx.webhooks.delete('whk_3');
    });
    expect(await store.read.webhooks.list()).toEqual([bare, changed]);
    expect(await store.read.webhooks.find('whk_3')).toBeUndefined();
  });

  it('moves the cursors of active webhooks forward only', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_behind', { sinceSeq: 3 }));
      await tx.webhooks.insert(webhookOf('whk_ahead', { sinceSeq: 9 }));
      await tx.webhooks.insert(webhookOf('whk_off', { sinceSeq: 3, active: false }));
      await tx.webhooks.advance(5);
    });
    const cursors = (await store.read.webhooks.list()).map(({ id, sinceSeq }) => [id, sinceSeq]);
    expect(Object.fromEntries(cursors)).toEqual({ whk_behind: 5, whk_ahead: 9, whk_off: 3 });
  });

  it('deactivates webhooks whose reader is gone, and deletes the old ones', async () => {
    const store = await open();
    await store.write(async (tx) => {
      const { seq } = await tx.events.append(eventOf('evt_1'), undefined);
      for (const name of ['stays', 'young', 'old'])
        await tx.deliveries.insert(deliveryOf(`dlv_${name}`, { eventSeq: seq, webhookId: `whk_${name}` }));
      await tx.webhooks.insert(webhookOf('whk_stays'));
      await tx.webhooks.insert(webhookOf('whk_young', { ephemeral: true }));
      await tx.webhooks.insert(webhookOf('whk_old', { ephemeral: true, createdAt: NOON - 1 }));
      await tx.webhooks.insert(webhookOf('whk_read', { ephemeral: true, createdAt: NOON - 1 }));
      await tx.webhooks.expireEphemeral(['whk_stays', 'whk_young', 'whk_old'], NOON);
    });
    const left = (await store.read.webhooks.list()).map(({ id, active }) => [id, active]);
    expect(left).toEqual([
      ['whk_read', true],
      ['whk_young', false],
      ['whk_stays', true],
    ]);
    const deliveries = ['stays', 'young', 'old'].map((name) => store.read.deliveries.find(`dlv_${name}`));
    const states = (await Promise.all(deliveries)).map((found) => found?.delivery.state);
    expect(states).toEqual(['pending', 'pending', 'failed']);
  });

  it('keeps deliveries with each of their attempts', async () => {
    const store = await open();
    const event = await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_1'));
      const stored = await tx.events.append(eventOf('evt_1'), undefined);
      await tx.deliveries.insert(deliveryOf('dlv_1', { eventSeq: stored.seq }));
      return stored;
    });
    const delivery = deliveryOf('dlv_1', { eventSeq: event.seq });
    const caller = { traceparent: null, clientRequestId: null };
    const found = { delivery, event, webhook: webhookOf('whk_1') };
    expect(await store.read.deliveries.find('dlv_1')).toEqual({ ...found, caller });
    const { id, traceparent, clientRequestId } = emailOf(event.emailId ?? '');
    await store.write((tx) => tx.emails.insert(emailOf(id), [], []));
    expect(await store.read.deliveries.find('dlv_1')).toEqual({ ...found, caller: { traceparent, clientRequestId } });

    const failed = attemptOf('dlv_1', 1, { status: null, error: 'connect ECONNREFUSED', responseHeaders: {} });
    const done = attemptOf('dlv_1', 2, { status: 200 });
    await store.write((tx) => tx.deliveries.recordAttempt(failed, 'pending', NOON + 5));
    expect((await store.read.deliveries.find('dlv_1'))?.delivery).toEqual({
      ...delivery,
      attempts: 1,
      nextAttemptAt: NOON + 5,
    });
    await store.write((tx) => tx.deliveries.recordAttempt(done, 'succeeded', null));
    expect((await store.read.deliveries.find('dlv_1'))?.delivery).toEqual({
      ...delivery,
      attempts: 2,
      state: 'succeeded',
      nextAttemptAt: null,
    });
    expect(await store.read.deliveries.attempts('dlv_1')).toEqual([failed, done]);
  });

  it('lists deliveries, newest first, with their event and the result of the last attempt', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_1'));
      await tx.webhooks.insert(webhookOf('whk_2'));
      await tx.events.append(eventOf('evt_1'), undefined);
      await tx.events.append(
        eventOf('evt_2', { type: 'email.bounced', createdAt: NOON + 5, emailId: 'msg_2' }),
        undefined,
      );
      await tx.deliveries.insert(deliveryOf('dlv_1', { eventSeq: 1 }));
      await tx.deliveries.insert(deliveryOf('dlv_2', { eventSeq: 2 }));
      await tx.deliveries.insert(deliveryOf('dlv_3', { eventSeq: 2, webhookId: 'whk_2', replayOf: 'dlv_2' }));
      await tx.deliveries.recordAttempt(attemptOf('dlv_1', 1, { status: null, error: 'reset' }), 'pending', NOON + 9);
      await tx.deliveries.recordAttempt(attemptOf('dlv_1', 2, { status: 200, durationMs: 3 }), 'succeeded', null);
    });
    const list = async (filter: DeliveryFilter, page = ALL) => {
      const { items, total } = await store.read.deliveries.list(filter, page);
      return [items.map(({ id }) => id).join(' '), total];
    };
    expect(await list({})).toEqual(['dlv_3 dlv_2 dlv_1', 3]);
    expect(await list({}, { limit: 1, offset: 1 })).toEqual(['dlv_2', 3]);
    expect(await list({ state: 'succeeded' })).toEqual(['dlv_1', 1]);
    expect(await list({ replayed: true })).toEqual(['', 0]);
    expect(await list({ replayed: false, state: 'pending' })).toEqual(['dlv_3 dlv_2', 2]);
    expect(await list({ event: 'email.bounced' })).toEqual(['dlv_3 dlv_2', 2]);
    expect(await list({ webhookId: 'whk_2' })).toEqual(['dlv_3', 1]);
    expect(await list({ emailId: 'msg_2' })).toEqual(['dlv_3 dlv_2', 2]);
    expect(await list({ emailId: 'msg_2', webhookId: 'whk_1', event: 'email.bounced' })).toEqual(['dlv_2', 1]);
    expect(await list({ emailId: 'msg_none' })).toEqual(['', 0]);
    expect(await list({ since: NOON + 5 })).toEqual(['dlv_3 dlv_2', 2]);
    expect(await list({ since: NOON + 5, webhookId: 'whk_1', state: 'pending' })).toEqual(['dlv_2', 1]);

    const { items } = await store.read.deliveries.list({}, ALL);
    expect(items[0]).toEqual({
      ...deliveryOf('dlv_3', { eventSeq: 2, webhookId: 'whk_2', replayOf: 'dlv_2' }),
      event: { id: 'evt_2', type: 'email.bounced' },
      last: null,
    });
    expect(items[2]).toMatchObject({ attempts: 2, last: { status: 200, error: null, durationMs: 3 } });
    expect((await store.read.deliveries.pendingOf('whk_1')).map(({ id }) => id)).toEqual(['dlv_2']);

    const again = deliveryOf('dlv_4', { eventSeq: 2, replayOf: 'dlv_2' });
    await store.write((tx) => tx.deliveries.insert(again));
    expect(await list({ replayed: true })).toEqual(['dlv_2', 1]);
    expect(await list({ replayed: false, state: 'pending' })).toEqual(['dlv_4 dlv_3', 2]);
  });

  it('keeps the deliveries of a deleted subscription', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_1'));
      const { seq } = await tx.events.append(eventOf('evt_1'), undefined);
      await tx.deliveries.insert(deliveryOf('dlv_1', { eventSeq: seq }));
    });
    await store.write((tx) => tx.webhooks.delete('whk_1'));
    expect(await store.read.deliveries.find('dlv_1')).toMatchObject({ delivery: { id: 'dlv_1' }, webhook: undefined });
    expect(await store.read.deliveries.find('dlv_none')).toBeUndefined();
  });

  it('keeps the last value of each setting', async () => {
    const store = await open();
    await store.write((tx) => tx.settings.set('a', '1'));
    await store.write((tx) => tx.settings.set('a', '2'));
    expect(await store.read.settings.get('a', String)).toBe('2');
    expect(await store.read.settings.get('b', String)).toBeUndefined();
  });

  it('keeps a suppressed mailbox as it was first suppressed', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.suppressions.insert(suppressionOf('a@x.test'));
      await tx.suppressions.insert(suppressionOf('b@x.test', { reason: 'manual', emailId: null }));
      await tx.suppressions.insert(suppressionOf('a@x.test', { reason: 'complaint' }));
    });
    expect(await store.read.suppressions.find('a@x.test', null)).toEqual(suppressionOf('a@x.test'));
    expect(await store.read.suppressions.list({ limit: 1, offset: 0 })).toEqual({
      items: [suppressionOf('b@x.test', { reason: 'manual', emailId: null })],
      total: 2,
    });
    expect(await store.read.suppressions.list({ ...ALL, search: 'a@' })).toEqual({
      items: [suppressionOf('a@x.test')],
      total: 1,
    });
    const drop = () => store.write((tx) => tx.suppressions.delete('a@x.test', null));
    expect([await drop(), await drop()]).toEqual([true, false]);
    expect(await store.read.suppressions.find('a@x.test', null)).toBeUndefined();
  });

  it('keeps rules active until they are used up', async () => {
    const store = await open();
    const endless = ruleOf('rule_2', {
      bounceType: null,
      complaintType: null,
      dropReason: null,
      reason: null,
      delayMs: null,
      times: null,
    });
    await store.write(async (tx) => {
      await tx.rules.insert(ruleOf('rule_1'));
      await tx.rules.insert(endless);
    });
    expect(await store.read.rules.list()).toEqual([endless, ruleOf('rule_1')]);
    expect(await store.read.rules.listActive(null)).toEqual([endless, ruleOf('rule_1')]);
    await store.write(async (tx) => {
      for (const id of ['rule_1', 'rule_1', 'rule_2']) await tx.rules.use(id);
    });
    // Nothing depends on the uses of a rule without a limit, and each would differ from what another replica knows.
    expect(await store.read.rules.listActive(null)).toEqual([endless]);
    expect(await store.read.rules.list()).toContainEqual({ ...endless, used: 1 });
    expect(await store.read.rules.list()).toHaveLength(2);
    const drop = () => store.write((tx) => tx.rules.delete('rule_1'));
    expect([await drop(), await drop()]).toEqual([true, false]);
  });

  it('hides a workspace that is being deleted, until its row is removed', async () => {
    const store = await open();
    const limits = { addresses: ['*@a.test'], expiresAt: NOON, keep: 2, maxAgeMs: 3, monthlyQuota: 4, createdAt: NOON };
    await store.write(async (tx) => {
      for (const name of ['shop', 'other']) await tx.workspaces.insert({ name, ...limits });
    });
    const { workspaces } = store.read;
    expect(await workspaces.find('shop')).toEqual({ name: 'shop', ...limits });
    await store.write((tx) => tx.workspaces.end('shop'));
    expect([await workspaces.find('shop'), await workspaces.ended()]).toEqual([undefined, ['shop']]);
    expect((await workspaces.list()).map(({ name }) => name)).toEqual(['other']);
    for (const name of ['shop', 'other']) await store.write((tx) => tx.workspaces.deleteEnded(name));
    expect(await workspaces.ended()).toEqual([]);
    expect((await workspaces.list()).map(({ name }) => name)).toEqual(['other']);
  });

  it('counts sent recipients by workspace and month, until the workspace is deleted', async () => {
    const store = await open();
    const { workspaces } = store.read;
    const counts = (reads: typeof workspaces) =>
      Promise.all([reads.sent('shop', 0), reads.sent('shop', NOON), reads.sent(null, 0), reads.sent('other', 0)]);
    const during = await store.write(async (tx) => {
      for (const workspace of ['shop', 'shop', null]) await tx.workspaces.countSent(workspace, 0);
      return counts(tx.workspaces);
    });
    await store.write((tx) => tx.workspaces.countSent('shop', 0));
    await store.write((tx) => tx.workspaces.countSent('shop', NOON));
    const failed = store.write(async (tx) => {
      await tx.workspaces.countSent('shop', 0);
      throw new Error('undone');
    });

    await expect(failed).rejects.toThrow('undone');

    expect([during, await counts(workspaces)]).toEqual([
      [2, 0, 1, 0],
      [3, 1, 1, 0],
    ]);
    const limits = { addresses: [], expiresAt: null, keep: null, maxAgeMs: null, monthlyQuota: null, createdAt: NOON };
    await store.write(async (tx) => {
      await tx.workspaces.insert({ name: 'shop', ...limits });
      await tx.workspaces.end('shop');
      await tx.workspaces.deleteEnded('shop');
    });
    expect(await counts(workspaces)).toEqual([0, 0, 1, 0]);
    await store.write((tx) => tx.reset());
    expect(await workspaces.sent(null, 0)).toBe(0);
  });

  it('changes the limits of a workspace', async () => {
    const store = await open();
    const workspace = { name: 'shop', addresses: [], expiresAt: null, createdAt: NOON };
    const [before, after] = [
      { keep: 1, maxAgeMs: null, monthlyQuota: null },
      { keep: null, maxAgeMs: 2, monthlyQuota: 0 },
    ];
    await store.write((tx) => tx.workspaces.insert({ ...workspace, ...before }));
    await store.write((tx) => tx.workspaces.limit('shop', after));
    expect(await store.read.workspaces.find('shop')).toEqual({ ...workspace, ...after });
  });

  it('keeps suppressions, rules and faults of workspaces apart', async () => {
    const store = await open();
    const own = { workspace: 'shop' };
    const ofShop = { ...suppressionOf('a@x.test', { ...own, reason: 'manual' }) };
    await store.write(async (tx) => {
      for (const each of [suppressionOf('a@x.test'), ofShop]) await tx.suppressions.insert(each);
      for (const each of [ruleOf('rule_1'), ruleOf('rule_2', own)]) await tx.rules.insert(each);
      for (const each of [faultOf('flt_1'), faultOf('flt_2', own)]) await tx.faults.insert(each);
    });
    const { suppressions, rules, faults } = store.read;
    const kept = async (workspace?: string | null) => [
      (await suppressions.list({ ...ALL, workspace })).items.map((each) => each.reason),
      (await rules.list(workspace)).map(({ id }) => id),
      (await faults.list(workspace)).map(({ id }) => id),
    ];
    expect(await kept()).toEqual([
      ['manual', 'hard_bounce'],
      ['rule_2', 'rule_1'],
      ['flt_2', 'flt_1'],
    ]);
    expect(await kept('shop')).toEqual([['manual'], ['rule_2'], ['flt_2']]);
    expect(await kept(null)).toEqual([['hard_bounce'], ['rule_1'], ['flt_1']]);
    expect(await suppressions.find('a@x.test', 'shop')).toEqual(ofShop);
    expect(await rules.listActive('shop')).toEqual([ruleOf('rule_2', own)]);
    const drop = (workspace: string | null) =>
      store.write(async (tx) => [
        await tx.suppressions.delete('b@x.test', workspace),
        await tx.rules.delete('rule_1', workspace),
        await tx.faults.delete('flt_1', workspace),
      ]);
    expect(await drop('shop')).toEqual([false, false, false]);
    await store.write(async (tx) => {
      await tx.suppressions.clear('shop');
      await tx.rules.clear('shop');
      expect(await tx.faults.clear('shop')).toBe(1);
    });
    expect(await kept()).toEqual([['hard_bounce'], ['rule_1'], ['flt_1']]);
  });

  it('counts matches and hits of faults', async () => {
    const store = await open();
    const { smtp, code } = faultOf('flt_1');
    const empty = Object.fromEntries(Object.keys(faultOf('flt_2')).map((name) => [name, null]));
    const least = { ...empty, id: 'flt_2', smtp, code, truncate: false, seed: 0, seen: 0, hits: 0, createdAt: 1 };
    await store.write(async (tx) => {
      await tx.faults.insert(faultOf('flt_1'));
      await tx.faults.insert(faultOf('flt_2', least));
    });
    expect(await store.read.faults.list()).toEqual([least, faultOf('flt_1')]);

    await store.write(async (tx) => {
      await tx.faults.count('flt_1', 1);
      await tx.faults.count('flt_1', 0);
      await tx.faults.count('flt_none', 1);
    });

    expect(await store.read.faults.list()).toEqual([least, faultOf('flt_1', { seen: 2, hits: 1 })]);
    const drop = () => store.write((tx) => tx.faults.delete('flt_1'));
    expect([await drop(), await drop()]).toEqual([true, false]);
    expect(await store.write((tx) => tx.faults.clear())).toBe(1);
    expect(await store.read.faults.list()).toEqual([]);
  });
}
