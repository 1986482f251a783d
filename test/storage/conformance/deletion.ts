import { expect, it } from 'vitest';
import { CHANGED_AT_ONCE, deleteEmails } from '../../../src/core/mail/deletion.js';
import { attachment, emailOf, insertEmail, recipientOf } from '../records.js';
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

    expect(await store.write((tx) => tx.emails.delete(ids, 'own'))).toBe(1);
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

  it('commits other writes between the batches of a long deletion', async () => {
    const store = await open();
    const batches = 6;
    const ids = Array.from({ length: batches * CHANGED_AT_ONCE }, (_, n) => `msg_${n}`);
    await store.write(async (tx) => {
      for (const id of ids) await tx.emails.insert(emailOf(id), [], []);
    });
    let isDone = false;
    const deletion = deleteEmails(store, ids).finally(() => {
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
