import { expect, it } from 'vitest';
import { OWN_USER_AGENT } from '../../../src/contract/vocabulary/headers.js';
import { SMTP_SESSIONS_BYTES, SMTP_SESSIONS_KEPT } from '../../../src/contract/vocabulary/limits.js';
import { type Committed, StoreClosedError } from '../../../src/core/store.js';
import { eventOf, requestOf, smtpSessionOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

export function stateSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('notifies commit listeners of a reset, which leaves nothing to read', async () => {
    const store = await open();
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
    const store = await open();
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
    const store = await open();
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
    const store = await open();
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

  it('answers the reads in progress before it closes, and refuses later ones', async () => {
    const store = await open();
    await store.write((tx) => tx.settings.set('kept', 'yes'));
    // More than there are connections, and of different values, so that none shares the answer of another.
    const reads = Array.from({ length: 50 }, (_, n) => store.read.settings.get(n === 49 ? 'kept' : `s${n}`, String));

    await store.close();

    expect((await Promise.all(reads)).at(-1)).toBe('yes');
    await expect(store.read.settings.get('kept', String)).rejects.toThrow(StoreClosedError);
    await expect(store.read.emails.find('msg_1')).rejects.toThrow(StoreClosedError);
    await expect(store.write(async () => {})).rejects.toThrow(StoreClosedError);
  });
}
