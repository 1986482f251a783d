import { expect, it } from 'vitest';
import type { Committed } from '../../../src/core/store.js';
import { pendingJobs } from '../../support/pending-jobs.js';
import { emailOf, eventOf, insertEmail, NOON, templateOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

export function writeSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('returns what the work returned, and reads see it', async () => {
    const store = await open();
    const answer = await store.write(async (tx) => {
      await tx.settings.set('name', 'value');
      return 42;
    });
    expect(answer).toBe(42);
    expect(await store.read.settings.get('name', String)).toBe('value');
  });

  it('shows a work its own writes', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await insertEmail(tx, 'msg_1');
      await tx.events.append(eventOf('evt_1'), 'sent');
      await tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} });
      expect((await tx.emails.find('msg_1'))?.id).toBe('msg_1');
      expect(await tx.events.lastSeq()).toBe(1);
      expect((await tx.events.count(NOON, NOON)).sent).toBe(1);
      expect(await tx.jobs.first(['email.deliver'])).toEqual({ runAt: NOON, leaseUntil: 0 });
    });
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(1);
  });

  it('rolls back a work that fails, completely, and no other', async () => {
    const store = await open();
    const commits: Committed[] = [];
    store.onCommit((committed) => commits.push(committed));
    const before = store.write(async (tx) => {
      await tx.events.append(eventOf('evt_before'), 'sent');
      await insertEmail(tx, 'msg_before');
    });
    const failing = store.write(async (tx) => {
      await insertEmail(tx, 'msg_failing');
      await tx.events.append(eventOf('evt_failing'), 'delivered');
      await tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} });
      await tx.templates.insert(templateOf('tpl_failing'));
      throw new Error('as asked for');
    });
    const after = store.write((tx) => insertEmail(tx, 'msg_after'));

    await expect(failing).rejects.toThrow('as asked for');
    await Promise.all([before, after]);

    expect((await store.read.emails.list({}, { limit: 9, offset: 0 })).items.map(({ id }) => id)).toEqual([
      'msg_after',
      'msg_before',
    ]);
    expect(await store.read.templates.find('tpl_failing')).toBeUndefined();
    expect(await pendingJobs(store, 'email.deliver')).toBe(0);
    expect(await store.read.events.count(NOON, NOON)).toMatchObject({ sent: 1, delivered: 0 });
    expect((await store.read.events.after(0, 9)).map(({ id }) => id)).toEqual(['evt_before']);
    // One commit for the three, without anything of the work that was rolled back.
    const emails = ['msg_1', 'msg_before', 'msg_after'];
    expect(commits).toEqual([{ events: true, jobs: false, appended: [{ ...eventOf('evt_before'), seq: 1 }], emails }]);
  });

  it('passes on the very error that a work threw', async () => {
    const error = new TypeError('mine');
    await expect((await open()).write(() => Promise.reject(error))).rejects.toBe(error);
  });

  it('rolls back a work that breaks a constraint, and no other', async () => {
    const store = await open();
    const results = await Promise.allSettled([
      store.write((tx) => insertEmail(tx, 'msg_1', { subject: 'first' })),
      store.write(async (tx) => {
        await tx.settings.set('half', 'done');
        await tx.emails.insert(emailOf('msg_1', { subject: 'second' }), [], []);
      }),
      store.write((tx) => insertEmail(tx, 'msg_2')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.read.emails.find('msg_1'))?.subject).toBe('first');
    expect(await store.read.settings.get('half', String)).toBeUndefined();
  });

  it('commits once for the writes of one turn, in the order they were requested', async () => {
    const store = await open();
    let commits = 0;
    store.onCommit(() => commits++);
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.write((tx) => tx.events.append(eventOf(`evt_${n}`), undefined))),
    );
    expect(commits).toBe(1);
    const events = await store.read.events.after(0, 200);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => `evt_${n}`));
  });

  it('commits once for writes one turn of the event loop apart', async () => {
    const store = await open();
    let commits = 0;
    store.onCommit(() => commits++);
    const writes: Promise<unknown>[] = [];
    for (let n = 0; n < 5; n++) {
      writes.push(store.write((tx) => tx.events.append(eventOf(`evt_${n}`), undefined)));
      await new Promise(setImmediate);
    }
    await Promise.all(writes);
    expect(commits).toBe(1);
  });

  it('keeps the order of more writes than one commit holds', async () => {
    const store = await open();
    const count = 2_000;
    await Promise.all(
      Array.from({ length: count }, (_, n) => store.write((tx) => tx.events.append(eventOf(`evt_${n}`), 'sent'))),
    );
    const events = await store.read.events.after(0, count + 1);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => `evt_${n}`));
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(count);
  });

  it('accepts a write requested when another has been acknowledged', async () => {
    const store = await open();
    await store.write((tx) => tx.settings.set('n', '1')).then(() => store.write((tx) => tx.settings.set('n', '2')));
    expect(await store.read.settings.get('n', String)).toBe('2');
  });

  it('reports what each commit contains, after it can be read', async () => {
    const store = await open();
    const seen: Promise<[Committed, number]>[] = [];
    const stop = store.onCommit(({ settings, ...committed }) => {
      if (!settings) seen.push(store.read.events.lastSeq().then((last) => [committed, last]));
    });
    await store.write((tx) => tx.events.append(eventOf('evt_1'), undefined));
    await store.write((tx) => tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} }));
    await store.write((tx) => tx.settings.set('quiet', 'yes'));
    const reported = await Promise.all(seen);
    stop();
    await store.write((tx) => tx.events.append(eventOf('evt_2'), undefined));
    expect(reported).toEqual([
      [{ events: true, jobs: false, appended: [{ ...eventOf('evt_1'), seq: 1 }], emails: ['msg_1'] }, 1],
      [{ events: false, jobs: true, appended: [], emails: [] }, 1],
    ]);
  });

  it('includes work added before a commit in it, with a view of what caused it', async () => {
    const store = await open();
    const seen: number[] = [];
    const commits: Committed[] = [];
    store.onCommit(({ settings, ...committed }) => {
      if (committed.events || committed.jobs || !settings) commits.push(committed);
    });
    const joined: Promise<void>[] = [];
    const stop = store.beforeCommit(({ events }) => {
      if (!events) return;
      joined.push(
        store.write(async (tx) => {
          seen.push(await tx.events.lastSeq());
          await tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} });
        }),
      );
    });
    await store.write((tx) => tx.events.append(eventOf('evt_1'), undefined));
    await Promise.all(joined);
    await store.write((tx) => tx.settings.set('quiet', 'yes'));
    stop();
    await store.write((tx) => tx.events.append(eventOf('evt_2'), undefined));
    expect(seen).toEqual([1]);
    expect(commits).toEqual([
      { events: true, jobs: true, appended: [{ ...eventOf('evt_1'), seq: 1 }], emails: ['msg_1'] },
      { events: true, jobs: false, appended: [{ ...eventOf('evt_2'), seq: 2 }], emails: ['msg_1'] },
    ]);
  });

  it('keeps a commit whose added work fails, without that work', async () => {
    const store = await open();
    let follower: Promise<void> | undefined;
    store.beforeCommit(() => {
      follower = store.write(async (tx) => {
        await tx.settings.set('follower', 'was here');
        throw new Error('as asked for');
      });
    });
    const kept = store.write((tx) => tx.events.append(eventOf('evt_1'), 'sent'));
    expect((await kept).seq).toBe(1);
    await expect(follower).rejects.toThrow('as asked for');
    expect(await store.read.settings.get('follower', String)).toBeUndefined();
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(1);
  });

  it('keeps and reports nothing of a commit that fails', async () => {
    const store = await open();
    const commits: Committed[] = [];
    store.onCommit(({ settings, ...committed }) => {
      if (committed.events || committed.jobs || !settings) commits.push(committed);
    });
    const stop = store.beforeCommit(() => {
      throw new Error('as asked for');
    });
    const failing = ['evt_1', 'evt_2'].map((id) =>
      store.write(async (tx) => {
        await tx.events.append(eventOf(id), 'sent');
        await tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} });
      }),
    );
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected');
    stop();

    const joined: string[] = [];
    store.beforeCommit(({ events, jobs }) => joined.push(`events: ${events}, jobs: ${jobs}`));
    await store.write((tx) => tx.settings.set('quiet', 'yes'));
    expect([commits, joined]).toEqual([[], []]);
    expect(await store.read.events.count(NOON, NOON)).toMatchObject({ sent: 0 });
    expect(await pendingJobs(store, 'email.deliver')).toBe(0);

    await store.write((tx) => tx.events.append(eventOf('evt_3'), 'delivered'));
    expect(commits).toEqual([
      { events: true, jobs: false, appended: [expect.objectContaining({ id: 'evt_3' })], emails: ['msg_1'] },
    ]);
    expect(joined).toEqual(['events: true, jobs: false']);
    expect(await store.read.events.count(NOON, NOON)).toMatchObject({ sent: 0, delivered: 1 });
  });

  it('counts only its own events in a write that empties the store, and all of them again if it fails', async () => {
    const store = await open();
    const appendOne = (id: string) => store.write((tx) => tx.events.append(eventOf(id), 'sent'));
    const first = appendOne('evt_1');
    const reset = store.write(async (tx) => {
      await tx.reset();
      await tx.events.append(eventOf('evt_2'), 'sent');
      expect((await tx.events.count(NOON, NOON)).sent).toBe(1);
      throw new Error('as asked for');
    });
    const last = store.write(async (tx) => {
      await tx.events.append(eventOf('evt_3'), 'sent');
      return (await tx.events.count(NOON, NOON)).sent;
    });

    await first;
    await expect(reset).rejects.toThrow('as asked for');
    expect(await last).toBe(2);
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(2);
  });

  it('finishes the writes in progress before it closes, and accepts no more', async () => {
    const store = await open();
    let kept = 0;
    const writes = Array.from({ length: 1_000 }, (_, n) =>
      store.write((tx) => tx.settings.set(`s${n}`, 'x')).then(() => kept++),
    );
    await store.close();
    expect(kept).toBe(writes.length);
    await expect(store.write((tx) => tx.settings.set('late', 'x'))).rejects.toThrow('closed');
    await store.close();
  });
}
