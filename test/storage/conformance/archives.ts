import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Committed, UnusableStateError } from '../../../src/core/store.js';
import { eventOf, NOON } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

export function archiveSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('exports its whole state, and imports it', async () => {
    const store = await open();
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
    const store = await open();
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

  it('keeps everything when the work that replaces it fails', async () => {
    const store = await open();
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
    const store = await open();
    await expect(store.stage(Readable.from([Buffer.from('x'.repeat(8192))]))).rejects.toThrow(UnusableStateError);
  });
}
