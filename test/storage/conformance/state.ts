import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { OWN_USER_AGENT } from '../../../src/contract/vocabulary/headers.js';
import { SMTP_SESSIONS_BYTES, SMTP_SESSIONS_KEPT } from '../../../src/contract/vocabulary/limits.js';
import { type Committed, UnusableStateError } from '../../../src/core/store.js';
import { eventOf, NOON, requestOf, smtpSessionOf } from '../records.js';
import { type StoreFixture, stores } from './fixture.js';

export function stateSuite(make: () => StoreFixture): void {
  const { open } = stores(make);

  it('exports its whole state, and imports it', async () => {
    const store = open();
    await store.write((tx) => tx.settings.set('name', 'then'));
    const snapshot = await store.snapshot();
    await store.write((tx) => tx.settings.set('name', 'now'));
    const staged = await store.stage(snapshot.read());
    await snapshot.discard();

    expect(await store.read.settings.get('name', String)).toBe('now');
    await store.write((tx) => tx.replace(staged));
    await staged.discard();

    expect(await store.read.settings.get('name', String)).toBe('then');
  });

  it('notifies commit listeners up to which event they can skip, including the counts', async () => {
    const store = open();
    await store.write((tx) => tx.events.append(eventOf('evt_1'), 'sent'));
    const snapshot = await store.snapshot();
    const staged = await store.stage(snapshot.read());
    await snapshot.discard();
    const commits: Committed[] = [];
    store.onCommit((committed) => commits.push(committed));

    // In one commit: earlier counts are removed, later ones stay.
    await Promise.all([
      store.write((tx) => tx.events.append(eventOf('evt_2'), 'sent')),
      store.write((tx) => tx.replace(staged)),
      store.write((tx) => tx.events.append(eventOf('evt_3'), 'sent')),
    ]);
    await staged.discard();

    const appended = [{ ...eventOf('evt_3'), seq: 3 }];
    expect(commits).toEqual([
      {
        events: true,
        jobs: true,
        appended,
        emails: ['msg_1'],
        replaced: { lastEvent: 1, lastRequest: 0, lastSmtpSession: 0 },
      },
    ]);
    expect((await store.read.events.after(0, 10)).map(({ seq, id }) => `${seq} ${id}`)).toEqual(['1 evt_1', '3 evt_3']);
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(2);
  });

  it('notifies commit listeners of a reset, which leaves nothing to read', async () => {
    const store = open();
    await store.write((tx) => tx.events.append(eventOf('evt_1'), 'sent'));
    const commits: Committed[] = [];
    store.onCommit((committed) => commits.push(committed));

    await store.write((tx) => tx.reset());

    expect(commits).toEqual([
      {
        events: true,
        jobs: false,
        appended: [],
        emails: [],
        replaced: { lastEvent: 0, lastRequest: 0, lastSmtpSession: 0 },
      },
    ]);
    expect(await store.read.events.after(0, 10)).toEqual([]);
  });

  it('keeps the newest requests of others, and apart from them the newest reads of svc itself', async () => {
    const store = open();
    const own = { userAgent: `${OWN_USER_AGENT}1.0.0` };
    const ids = async () => (await store.read.requests.newest({ all: true }, 100)).map(({ id }) => id);
    await store.write(async ({ requests }) => {
      await requests.append([requestOf('write', { ...own, method: 'POST' }), requestOf('app'), requestOf('read', own)]);
      for (let read = 1; read <= 5; read += 1) await requests.append([requestOf(`read ${read}`, own)]);
      await requests.trim(2, 3);
    });
    expect(await ids()).toEqual(['read 5', 'read 4', 'read 3', 'app', 'write']);

    await store.write(async ({ requests }) => {
      await requests.append([requestOf('later'), requestOf('without', { userAgent: null })]);
      await requests.trim(3, 3);
    });
    expect(await ids()).toEqual(['without', 'later', 'read 5', 'read 4', 'read 3', 'app']);
  });

  it('keeps SMTP sessions as they are, the newest first', async () => {
    const store = open();
    const open1 = smtpSessionOf('smtp_1', {
      ms: null,
      ending: null,
      helo: null,
      tls: null,
      auth: null,
      transactions: [],
    });
    const failed = smtpSessionOf('smtp_2', { error: '550 5.7.1 no' });
    await store.write(({ smtpSessions }) => smtpSessions.append([open1, failed]));

    expect(await store.read.smtpSessions.newest({}, 10)).toEqual([
      { ...failed, seq: 2 },
      { ...open1, seq: 1 },
    ]);
    expect(await store.read.smtpSessions.newest({ failed: true }, 10)).toEqual([{ ...failed, seq: 2 }]);
    expect(await store.read.smtpSessions.after(1, {}, 10)).toEqual([{ ...failed, seq: 2 }]);
    expect(await store.read.smtpSessions.find('smtp_1')).toEqual({ ...open1, seq: 1 });
    expect(await store.read.smtpSessions.find('smtp_3')).toBeUndefined();
    expect(await store.read.smtpSessions.lastSeq()).toBe(2);
  });

  it('keeps the newest SMTP sessions up to a number and a size, and apart from them the failed ones', async () => {
    const store = open();
    const failed = smtpSessionOf('failed', { error: '550 5.7.1 no' });
    const others = Array.from({ length: SMTP_SESSIONS_KEPT + 5 }, (_, at) => smtpSessionOf(`small ${at}`));
    await store.write(async ({ smtpSessions }) => {
      await smtpSessions.append([failed, ...others]);
      await smtpSessions.trim();
    });
    const ids = async () => (await store.read.smtpSessions.newest({}, 10_000)).map(({ id }) => id);
    expect(await ids()).toEqual([
      ...others
        .slice(5)
        .map(({ id }) => id)
        .reverse(),
      'failed',
    ]);

    const text = 'x'.repeat(SMTP_SESSIONS_BYTES / 4);
    await store.write(async ({ smtpSessions }) => {
      for (let at = 1; at <= 5; at += 1)
        await smtpSessions.append([smtpSessionOf(`large ${at}`, { transcript: [{ ms: 0, from: 'note', text }] })]);
      await smtpSessions.trim();
    });
    expect(await ids()).toEqual(['large 5', 'large 4', 'large 3', 'failed']);
  });

  it('keeps everything when the work that replaces it fails', async () => {
    const store = open();
    await store.write((tx) => tx.settings.set('name', 'then'));
    const snapshot = await store.snapshot();
    const staged = await store.stage(snapshot.read());
    await snapshot.discard();
    const counted = store.write((tx) => tx.events.append(eventOf('evt_1'), 'sent'));

    await expect(
      store.write(async (tx) => {
        await tx.replace(staged);
        throw new Error('as asked for');
      }),
    ).rejects.toThrow('as asked for');
    await staged.discard();

    await counted;
    expect(await store.read.events.lastSeq()).toBe(1);
    expect((await store.read.events.count(NOON, NOON)).sent).toBe(1);
  });

  it('imports nothing that no store of its kind wrote', async () => {
    const store = open();
    await expect(store.stage(Readable.from([Buffer.from('x'.repeat(8192))]))).rejects.toThrow(UnusableStateError);
  });
}
