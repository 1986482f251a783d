import { expect, it } from 'vitest';
import type { CounterName } from '../../../src/contract/vocabulary/event-types.js';
import { AUDIT_ENTRIES_KEPT } from '../../../src/contract/vocabulary/limits.js';
import type { DeliveryRecord } from '../../../src/core/model/deliveries.js';
import type { NewAuditEntry } from '../../../src/core/model/logs.js';
import type { Store } from '../../../src/core/store.js';
import { attemptOf, deliveryOf, emailOf, eventOf, insertEmail, NOON, requestOf, webhookOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

const DAY_MS = 86_400_000;

export function pruningSuite(make: MakeFixture): void {
  const { open } = stores(make);

  /** Inserts emails with one event each, which get the numbers 1, 2, … */
  const insert = (store: Store, ...ids: string[]) =>
    store.write(async (tx) => {
      for (const id of ids) {
        await insertEmail(tx, id, {});
        await tx.events.append(eventOf(`evt_${id}`, { emailId: id }), 'sent');
      }
    });
  const deliver = (store: Store, eventSeq: number, state: DeliveryRecord['state'] = 'pending') =>
    store.write(async (tx) => {
      await tx.deliveries.insert(deliveryOf(`dlv_${eventSeq}`, { eventSeq }));
      if (state !== 'pending') await tx.deliveries.recordAttempt(attemptOf(`dlv_${eventSeq}`, 1), state, null);
    });
  const events = async (store: Store) => (await store.read.events.after(0, 100)).map(({ seq }) => seq);
  const remove = (store: Store, ...ids: string[]) => store.write((tx) => tx.emails.delete(ids));
  const removable = async (store: Store, keep = 100, before: number | null = null) => ({
    withoutEmail: await store.read.events.removable({ keep, before, limit: 100 }),
    ofDeleted: (await store.read.events.heldByDelivery(0, 100)).filter(({ isDone }) => isDone).map(({ seq }) => seq),
  });

  it('removes the events of deleted emails with their deliveries and attempts, and no others', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2', 'msg_3');
    await deliver(store, 1, 'succeeded');
    await deliver(store, 2, 'failed');
    await deliver(store, 3, 'failed');

    await remove(store, 'msg_1', 'msg_2');

    expect(await events(store)).toEqual([3]);
    expect((await store.read.deliveries.list({}, { limit: 10, offset: 0 })).items.map(({ id }) => id)).toEqual([
      'dlv_3',
    ]);
    for (const [id, attempts] of [
      ['dlv_1', 0],
      ['dlv_2', 0],
      ['dlv_3', 1],
    ] as const)
      expect(await store.read.deliveries.attempts(id)).toHaveLength(attempts);
    await remove(store, 'msg_3');
    await insert(store, 'msg_4');
    expect(await events(store)).toEqual([4]);
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(4);
  });

  it('keeps an event of a deleted email until its deliveries have ended', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2');
    await deliver(store, 1);
    await deliver(store, 2);

    await remove(store, 'msg_1');
    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [] });
    await store.write((tx) => tx.events.remove([1, 2]));
    expect(await events(store)).toEqual([1, 2]);

    await store.write((tx) => tx.deliveries.recordAttempt(attemptOf('dlv_1', 1), 'failed', null));
    await store.write((tx) => tx.deliveries.recordAttempt(attemptOf('dlv_2', 1), 'succeeded', null));
    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [1] });
    await store.write((tx) => tx.events.remove([1]));
    expect(await events(store)).toEqual([2]);
    expect(await store.read.deliveries.find('dlv_1')).toBeUndefined();
  });

  it('finds the events of deleted emails in batches, by number', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2', 'msg_3', 'msg_4');
    for (const seq of [1, 3, 4]) await deliver(store, seq);
    await remove(store, 'msg_1', 'msg_2', 'msg_3', 'msg_4');
    await store.write((tx) => tx.deliveries.recordAttempt(attemptOf('dlv_3', 1), 'failed', null));

    const { events } = store.read;
    expect(await events.heldByDelivery(0, 2)).toEqual([
      { seq: 1, isDone: false },
      { seq: 3, isDone: true },
    ]);
    expect(await events.heldByDelivery(3, 2)).toEqual([{ seq: 4, isDone: false }]);
    expect(await events.heldByDelivery(4, 2)).toEqual([]);
  });

  it('keeps an event of a deleted email until all active subscriptions have received its deliveries', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.webhooks.insert(webhookOf('whk_1', { sinceSeq: 1 }));
      await tx.webhooks.insert(webhookOf('whk_2', { sinceSeq: 0, active: false }));
    });
    await insert(store, 'msg_1', 'msg_2');
    await remove(store, 'msg_1', 'msg_2');
    expect(await events(store)).toEqual([2]);

    await store.write((tx) => tx.webhooks.advance(2));
    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [2] });
  });

  it('keeps the events of emails whose deletion can be undone', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2');
    const deletion = { id: 'del_1', at: NOON };
    await store.write((tx) => tx.emails.delete(['msg_1', 'msg_2'], deletion));
    expect(await events(store)).toEqual([1, 2]);
    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [] });

    await store.write((tx) => tx.emails.purge(deletion));
    expect(await events(store)).toEqual([]);
  });

  it('removes the events of emails that an imported archive does not have', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2');
    await store.write((tx) => tx.events.append(eventOf('evt_3', { emailId: null }), undefined));
    await store.write((tx) => tx.emails.delete(['msg_1'], { id: 'del_1', at: NOON }));
    const snapshot = await store.snapshot();
    const staged = await store.stage(snapshot.read());
    await snapshot.discard();

    await store.write((tx) => tx.replace(staged));
    await staged.discard();
    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [1] });
    expect(await events(store)).toEqual([1, 2, 3]);
  });

  it('removes events without a stored email beyond a number or an age', async () => {
    const store = await open();
    await insert(store, 'msg_1');
    await store.write(async (tx) => {
      for (let n = 2; n <= 6; n += 1) {
        const about = n % 2 === 0 ? { emailId: null } : { emailId: `msg_unknown_${n}` };
        await tx.events.append(eventOf(`evt_${n}`, { createdAt: NOON + n, ...about }), undefined, false);
      }
    });

    expect(await removable(store)).toEqual({ withoutEmail: [], ofDeleted: [] });
    expect(await removable(store, 3)).toEqual({ withoutEmail: [2, 3], ofDeleted: [] });
    expect(await removable(store, 3, NOON + 5)).toEqual({ withoutEmail: [2, 3, 4], ofDeleted: [] });
    await store.write((tx) => tx.events.remove([2, 3]));
    expect(await events(store)).toEqual([1, 4, 5, 6]);
  });

  it('remembers up to which number events were removed, which stays the last one of an empty log', async () => {
    const store = await open();
    await insert(store, 'msg_1', 'msg_2', 'msg_3');
    expect(await store.read.events.lastOfEmails(['msg_1', 'msg_2', 'msg_none'])).toBe(2);
    expect(await store.read.events.removedUpTo()).toBe(0);
    await remove(store, 'msg_2');
    const before = ['evt_msg_0', 'evt_msg_1', 'evt_msg_2', 'evt_msg_4'];
    expect(await Promise.all(before.map((id) => store.read.events.lastBefore(id)))).toEqual([0, 0, 1, 3]);
    for (const seq of [3, 2]) await store.write((tx) => tx.events.raiseRemoved(seq));
    await remove(store, 'msg_1', 'msg_2', 'msg_3');

    expect(await store.read.events.removedUpTo()).toBe(3);
    expect(await store.read.events.lastSeq()).toBe(3);
  });

  it('counts the same in whole hours after counts were rolled up, and keeps a few rows', async () => {
    const store = await open();
    const names: CounterName[] = ['sent', 'delivered', 'opened'];
    const start = Math.floor(NOON / DAY_MS) * DAY_MS;
    const at = Array.from({ length: 3_000 }, (_, n) => start + n * 61_007);
    await store.write(async (tx) => {
      for (const [n, createdAt] of at.entries()) {
        const name = names[n % names.length] ?? 'sent';
        await tx.events.append(eventOf(`evt_${n}`, { type: `email.${name}`, createdAt }), name);
      }
    });
    const ranges = Array.from({ length: 60 }, (_, hour) => [start + hour * 3_600_000, start + 3 * DAY_MS - 1] as const);
    const counts = () => Promise.all(ranges.map(([from, to]) => store.read.events.count(from, to)));
    const before = await counts();

    const now = start + 30 * DAY_MS;
    let transactions = 0;
    for (; await store.read.events.hasFineCounts(now); transactions += 1) {
      await store.write((tx) => tx.events.rollUpCounts(now));
      expect(await counts()).toEqual(before);
    }
    expect(transactions).toBeGreaterThan(3);
    // An event counts at the start of its hour now.
    expect(await store.read.events.count(start + 1, start + 3_600_000 - 1)).toEqual(
      await store.read.events.count(now, now),
    );
    expect(await store.read.events.count(start, start)).toEqual(
      await store.read.events.count(start, start + 3_600_000 - 1),
    );
  });

  it('does not roll up counts of the last minute', async () => {
    const store = await open();
    await insert(store, 'msg_1');
    expect(await store.read.events.hasFineCounts(NOON + 30_000)).toBe(false);
    expect(await store.read.events.hasFineCounts(NOON + 3_600_000)).toBe(true);
  });

  it('removes an SMTP session with the last of its emails, and old entries of logs', async () => {
    const store = await open();
    const session = {
      ...{ createdAt: NOON, ms: 1, client: { address: '127.0.0.1', port: 1 }, helo: null, tls: null, auth: null },
      ...{ ending: null, error: null, accepted: 2, omittedTransactions: 0, transactions: [], transcript: [] },
    };
    await store.write(async (tx) => {
      for (const [id, sessionId] of Object.entries({ msg_1: 'smtp_1', msg_2: 'smtp_1', msg_3: 'smtp_2' })) {
        const message = { mailFrom: 'a@x.test', recipients: [], bytes: Buffer.of(1), sessionId };
        const seq = await tx.received.insert(message);
        await tx.emails.insertReceived(seq, emailOf(id), [], []);
      }
      const all = ['smtp_1', 'smtp_2', 'smtp_3'].map((id, n) => ({ ...session, id, capturedAt: NOON + n }));
      await tx.smtpSessions.append(all);
      await tx.requests.append([requestOf('req_1'), requestOf('req_2', { createdAt: NOON + 1 })]);
    });
    const sessions = async () => (await store.read.smtpSessions.newest({}, 10)).map(({ id }) => id);

    await remove(store, 'msg_1');
    expect(await sessions()).toEqual(['smtp_3', 'smtp_2', 'smtp_1']);
    await remove(store, 'msg_2');
    expect(await sessions()).toEqual(['smtp_3', 'smtp_2']);
    await store.write((tx) => tx.emails.delete(['msg_3'], { id: 'del_1', at: NOON }));
    expect(await sessions()).toEqual(['smtp_3', 'smtp_2']);
    await store.write((tx) => tx.emails.purge({ id: 'del_1', at: NOON }));
    expect(await sessions()).toEqual(['smtp_3']);

    const old = await store.read.smtpSessions.before(NOON + 3, 10);
    await store.write((tx) => tx.smtpSessions.remove(old));
    expect(await sessions()).toEqual([]);
    expect(await store.read.requests.before(NOON + 1, 10)).toEqual([1]);
    await store.write((tx) => tx.requests.remove([1]));
    expect((await store.read.requests.newest({}, 10)).map(({ id }) => id)).toEqual(['req_2']);
  });

  it('keeps the newest entries of the audit log, and removes those before an instant', async () => {
    const store = await open();
    const entry = (number: number): NewAuditEntry => ({
      ...{ createdAt: NOON + number, actorKind: 'person', actor: 'ada@example.test', keyId: null, owner: null },
      ...{ action: 'sign-in', target: String(number), details: { a: 'b' }, workspace: null, client: '::1' },
      requestId: 'req_1',
    });
    const surplus = 2;
    await store.write(async (tx) => {
      for (let number = 1; number <= AUDIT_ENTRIES_KEPT + surplus; number += 1) await tx.audit.append(entry(number));
    });
    const { items, total } = await store.read.audit.list({ limit: 2, offset: AUDIT_ENTRIES_KEPT - 2 });
    expect(total).toBe(AUDIT_ENTRIES_KEPT);
    expect(items).toEqual([
      { seq: 4, ...entry(4) },
      { seq: 3, ...entry(3) },
    ]);

    expect(await store.read.audit.before(NOON + 5, 10)).toEqual([3, 4]);
    await store.write((tx) => tx.audit.remove([3, 4]));
    expect(await store.read.audit.before(NOON + 5, 10)).toEqual([]);
    const last = NOON + AUDIT_ENTRIES_KEPT + surplus;
    expect(await store.read.audit.hasSignIn('ada@example.test', last)).toBe(true);
    expect(await store.read.audit.hasSignIn('ada@example.test', last + 1)).toBe(false);
    expect(await store.read.audit.hasSignIn('Ada@example.test', NOON)).toBe(false);
  });
}
