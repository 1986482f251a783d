import { expect, it } from 'vitest';
import { CHANGED_AT_ONCE, deleteBatches } from '../../../src/core/mail/deletion.js';
import { attachment, emailOf, insertEmail, NOON, recipientOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

export function deletionSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('deletes emails with their recipients and attachments, and counts the rest by status', async () => {
    const store = await open();
    const recipients = [recipientOf('ada@example.test')];
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1', { status: 'bounced' }), recipients, [attachment]);
      await tx.emails.insert(emailOf('msg_2'), recipients, [attachment]);
      await tx.emails.insert(emailOf('msg_3'), recipients, []);
      await tx.emails.insert(emailOf('msg_4'), [], []);
    });
    const remove = (...ids: string[]) => store.write((tx) => tx.emails.delete(ids));

    expect(await remove('msg_1', 'msg_none', 'msg_2', 'msg_1')).toBe(2);
    expect([await remove('msg_1'), await remove('msg_none'), await remove()]).toEqual([0, 0, 0]);

    for (const id of ['msg_1', 'msg_2']) {
      expect(await store.read.emails.find(id)).toBeUndefined();
      expect(await store.read.emails.recipients(id)).toEqual([]);
      expect(await store.read.emails.attachments(id)).toEqual([]);
    }
    expect(await store.read.emails.recipients('msg_3')).toHaveLength(1);
    expect(await store.read.emails.countByStatus()).toEqual(new Map([['sent', 2]]));
  });

  it('deletes only the emails of a workspace, if it is given one', async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (const workspace of ['own', 'other', null]) await insertEmail(tx, `msg_${workspace}`, { workspace });
    });
    const ids = ['msg_own', 'msg_other', 'msg_null'];

    expect(await store.write((tx) => tx.emails.delete(ids, undefined, 'own'))).toBe(1);
    expect((await store.read.emails.documents(ids)).map(({ id }) => id)).toEqual(['msg_other', 'msg_null']);
    expect(await store.write((tx) => tx.emails.delete(ids))).toBe(2);
  });

  it('deletes large contents that no other email refers to', async () => {
    const store = await open();
    const chunk = Buffer.from('large');
    const large = (key: string) => ({ key, size: chunk.length });
    await store.write(async (tx) => {
      for (const key of ['shared', 'text', 'kept']) await tx.contents.append(key, 0, chunk);
      await tx.emails.insert(emailOf('msg_1'), [], [{ ...attachment, content: large('shared') }]);
      await tx.emails.insert({ ...emailOf('msg_2'), text: large('text') } as never, [], []);
      await tx.emails.insert(emailOf('msg_3'), [], [{ ...attachment, content: large('shared') }]);
    });
    const isStored = (key: string) =>
      store.write(async (tx) => {
        await tx.emails.insert(emailOf('msg_probe'), [], [{ ...attachment, content: large(key) }]);
        await tx.emails.delete(['msg_probe']);
      });

    expect(await store.write((tx) => tx.emails.delete(['msg_1', 'msg_2']))).toBe(2);

    await expect(isStored('text')).rejects.toThrow('replaced meanwhile');
    expect((await store.read.emails.attachment('msg_3', 0))?.content).toEqual(chunk);
    expect(await store.write((tx) => tx.emails.delete(['msg_3']))).toBe(1);
    await expect(isStored('shared')).rejects.toThrow('replaced meanwhile');
    await isStored('kept');
  });

  it('restores the emails of a deletion as they were, and purges those of others', async () => {
    const store = await open();
    const chunk = Buffer.from('large');
    const extracts = { htmlText: 'shown', headers: [], links: [], codes: [] };
    const sent = { mailFrom: 'a@x.test', recipients: ['b@x.test'], reply: '250', error: null, rejected: [] };
    await store.write(async (tx) => {
      for (const id of ['msg_1', 'msg_2', 'msg_3']) {
        await tx.contents.append(id, 0, chunk);
        const message = { mailFrom: 'a@x.test', recipients: ['b@x.test'], bytes: Buffer.of(0, 255), importKey: id };
        const seq = await tx.received.insert(message);
        const email = emailOf(id, { origin: 'smtp', addedTags: ['todo'], workspace: 'one' });
        const attachments = [attachment, { ...attachment, content: { key: id, size: chunk.length } }];
        await tx.emails.insertReceived(seq, email, [recipientOf('a@x.test')], attachments, extracts);
        await tx.emails.warn(id, { code: 'content_cut', path: '', message: 'cut' });
        await tx.releases.insert(id, { ...sent, releasedAt: NOON, relay: 'r' });
      }
    });
    const stateOf = async (id: string) => ({
      email: await store.read.emails.find(id),
      recipients: await store.read.emails.recipients(id),
      attachments: [await store.read.emails.attachment(id, 0), await store.read.emails.attachment(id, 1)],
      warnings: await store.read.emails.warnings(id),
      received: await store.read.received.ofEmail(id),
      releases: await store.read.releases.ofEmail(id),
      documents: await store.read.emails.documents([id]),
    });
    const counts = async () => [await store.read.emails.countByStatus(), await store.read.emails.countByTag()];
    const [before, countsBefore] = [[await stateOf('msg_1'), await stateOf('msg_2')], await counts()];

    const undone = { id: 'undone', at: NOON };
    const purged = { id: 'purged', at: NOON + 1 };
    expect(await store.write((tx) => tx.emails.delete(['msg_1', 'msg_2'], undone))).toBe(2);
    expect(await store.write((tx) => tx.emails.delete(['msg_3'], purged))).toBe(1);
    const job = { kind: 'email.send' as const, queue: '', runAt: NOON, payload: { emailId: 'msg_1' } };
    await store.write((tx) => tx.emails.keepJob('msg_1', job));
    await store.write((tx) => tx.emails.keepJob('msg_none', job));

    expect(await store.read.emails.find('msg_1')).toBeUndefined();
    expect(await store.read.emails.list({}, { limit: 9, offset: 0 })).toEqual({ items: [], total: 0 });
    expect(await counts()).toEqual([new Map(), new Map()]);
    expect(await store.read.received.imported('msg_2')).toBeUndefined();
    await store.write((tx) => tx.received.insert({ mailFrom: '', recipients: [], bytes: chunk, importKey: 'msg_2' }));
    expect(await store.read.emails.deletions()).toEqual([undone, purged]);

    expect(await store.write((tx) => tx.emails.restore(undone, 'other'))).toEqual({ count: 0, jobs: [] });
    expect(await store.write((tx) => tx.emails.restore({ ...undone, at: NOON + 2 }))).toEqual({
      count: 2,
      jobs: [job],
    });
    expect(await store.write((tx) => tx.emails.restore(undone))).toEqual({ count: 0, jobs: [] });
    await store.write((tx) => tx.emails.purge({ ...purged, at: NOON }));
    expect(await store.read.emails.deletions()).toEqual([purged]);
    await store.write((tx) => tx.emails.purge(purged));
    expect(await store.read.emails.deletions()).toEqual([]);
    expect(await store.write((tx) => tx.emails.restore(purged))).toEqual({ count: 0, jobs: [] });

    expect([await stateOf('msg_1'), await stateOf('msg_2')]).toEqual(before);
    await store.write((tx) => tx.emails.delete(['msg_1', 'msg_2'], undone));
    await store.write((tx) => tx.emails.restore(undone));
    while ((await store.write((tx) => tx.emails.indexNext(9))) > 0);
    expect(await store.read.emails.unindexed(9)).toBe(0);
    expect([await stateOf('msg_1'), await stateOf('msg_2')]).toEqual(before);
    await store.write((tx) => tx.emails.delete(['msg_3']));
    const [statuses, tags] = await counts();
    expect([statuses?.get('sent'), tags?.get('todo')]).toEqual([2, 2]);
    expect(countsBefore[1]?.get('todo')).toBe(3);
    const probe = () =>
      store.write((tx) =>
        tx.emails.insert(emailOf('msg_probe'), [], [{ ...attachment, content: { key: 'msg_3', size: 5 } }]),
      );
    await expect(probe()).rejects.toThrow('replaced meanwhile');
  });

  it('commits other writes between the batches of a long deletion', async () => {
    const store = await open();
    const batches = 6;
    const ids = Array.from({ length: batches * CHANGED_AT_ONCE }, (_, n) => `msg_${n}`);
    await store.write(async (tx) => {
      for (const id of ids) await tx.emails.insert(emailOf(id), [], []);
    });
    let isDone = false;
    const deletion = deleteBatches(store, [ids]).finally(() => {
      isDone = true;
    });

    /** What each of the other writes finds, one after the other. */
    const left: number[] = [];
    while (!isDone) {
      left.push(
        await store.write(async (tx) => {
          await tx.settings.set('turn', 'other');
          return (await tx.emails.countByStatus()).get('sent') ?? 0;
        }),
      );
    }

    expect(await deletion).toBe(ids.length);
    const between = left.filter((count) => count > 0 && count < ids.length);
    expect(new Set(between).size).toBeGreaterThan(1);
  });
}
