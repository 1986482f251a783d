import { expect, it } from 'vitest';
import type { RuleRecord, SuppressionRecord } from '../../../src/core/model.js';
import { NOON } from '../records.js';
import { type StoreFixture, stores } from './fixture.js';

const ruleOf = (over: Partial<RuleRecord>): RuleRecord => ({
  id: 'rul_1',
  pattern: '*@corp.test',
  outcome: 'bounced',
  bounceType: 'soft',
  complaintType: null,
  dropReason: null,
  reason: '452 4.2.2 full',
  delayMs: 30_000,
  times: null,
  used: 0,
  createdAt: NOON,
  ...over,
});

export function simulationSuite(make: () => StoreFixture): void {
  const { open } = stores(make);

  it('keeps rules, newest first, and knows which are used up', async () => {
    const store = open();
    const endless = ruleOf({});
    const once = ruleOf({ id: 'rul_2', times: 1, bounceType: null, reason: null, delayMs: null });
    await store.write(async (tx) => {
      await tx.rules.insert(endless);
      await tx.rules.insert(once);
    });
    expect(await store.read.rules.inForce()).toEqual([once, endless]);
    await store.write(async (tx) => {
      await tx.rules.use('rul_1');
      await tx.rules.use('rul_2');
    });
    expect(await store.read.rules.list()).toEqual([
      { ...once, used: 1 },
      { ...endless, used: 1 },
    ]);
    expect(await store.read.rules.inForce()).toEqual([{ ...endless, used: 1 }]);
    expect(await store.write((tx) => tx.rules.delete('rul_1'))).toBe(true);
    expect(await store.write((tx) => tx.rules.delete('rul_1'))).toBe(false);
  });

  it('keeps suppressions, the first of an address, newest first', async () => {
    const store = open();
    const ada: SuppressionRecord = { mailbox: 'ada@corp.test', reason: 'complaint', emailId: 'msg_1', createdAt: NOON };
    const bob: SuppressionRecord = { mailbox: 'bob@corp.test', reason: 'manual', emailId: null, createdAt: NOON };
    await store.write(async (tx) => {
      await tx.suppressions.insert(ada);
      await tx.suppressions.insert(bob);
      await tx.suppressions.insert({ ...ada, reason: 'manual' });
    });
    expect(await store.read.suppressions.find('ada@corp.test')).toEqual(ada);
    expect(await store.read.suppressions.list({ limit: 1, offset: 0 })).toEqual({ items: [bob], total: 2 });
    expect(await store.read.suppressions.list({ limit: 5, offset: 1 })).toEqual({ items: [ada], total: 2 });
    expect(await store.write((tx) => tx.suppressions.delete('ada@corp.test'))).toBe(true);
    expect(await store.write((tx) => tx.suppressions.delete('ada@corp.test'))).toBe(false);
    expect(await store.read.suppressions.find('ada@corp.test')).toBeUndefined();
  });

  it('knows the job of some kinds that is due first, claimed or free', async () => {
    const store = open();
    await store.write(async (tx) => {
      await tx.jobs.add({ kind: 'other', runAt: NOON - 1, payload: {} });
      await tx.jobs.add({ kind: 'mail', runAt: NOON + 1, payload: {} });
      await tx.jobs.add({ kind: 'mail', runAt: NOON, payload: {} });
    });
    expect(await store.read.jobs.first(['mail'])).toEqual({ runAt: NOON, leaseUntil: 0 });
    await store.write((tx) => tx.jobs.claim({ now: NOON, systemNow: 5, leaseUntil: 65, limit: 1, kinds: ['mail'] }));
    expect(await store.read.jobs.first(['mail'])).toEqual({ runAt: NOON, leaseUntil: 65 });
    expect(await store.read.jobs.first(['none'])).toBeUndefined();
  });

  it('calls off the jobs of one recipient of one email, of the kinds that are named', async () => {
    const store = open();
    const payloads = [
      { emailId: 'msg_1', mailbox: 'ada@corp.test' },
      { emailId: 'msg_1', mailbox: 'bob@corp.test' },
      { emailId: 'msg_2', mailbox: 'ada@corp.test' },
    ];
    await store.write(async (tx) => {
      for (const payload of payloads) await tx.jobs.add({ kind: 'mail', runAt: NOON, payload });
      await tx.jobs.add({ kind: 'other', runAt: NOON, payload: payloads[0] });
      await tx.jobs.callOff(['mail'], 'msg_1', 'ada@corp.test');
    });
    const claim = { now: NOON, systemNow: 0, leaseUntil: 60, limit: 9, kinds: ['mail', 'other'] };
    const left = await store.write((tx) => tx.jobs.claim(claim));
    expect(left.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['mail', payloads[1]],
      ['mail', payloads[2]],
      ['other', payloads[0]],
    ]);
  });
}
