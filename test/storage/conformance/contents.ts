import { expect, it } from 'vitest';
import { LargeContents } from '../../../src/core/mail/inbound/large-contents.js';
import { type Content, isStored } from '../../../src/core/model/contents.js';
import type { NewEmail } from '../../../src/core/model/emails.js';
import { type Store, StoreUnavailableError } from '../../../src/core/store.js';
import { attachment, emailOf, NOON, recipientOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

const MEBIBYTE = 1024 * 1024;
const COMPRESSED_MAX = 64 * 1024;

export function bytesOf(size: number): Buffer {
  return Buffer.from(Uint32Array.from({ length: Math.ceil(size / 4) }, (_, n) => n * 2_654_435_761).buffer, 0, size);
}

function largeContentsOf(store: Store): LargeContents {
  let made = 0;
  const ids = {
    next: (prefix: string) => {
      made += 1;
      return `${prefix}_${made}`;
    },
    secret: () => '',
  };
  return new LargeContents({ store, ids, clock: { now: () => NOON } as never });
}

/** Stores a message, and creates its email with one attachment of the same bytes. */
export async function insertLarge(store: Store, id: string, bytes: Buffer): Promise<void> {
  const message = { mailFrom: 'a@x.test', recipients: ['b@x.test'] };
  const text = Buffer.from(longTextOf(bytes.length));
  await largeContentsOf(store).use([bytes, bytes, text, text], async ([raw, content, ...bodies]) =>
    store.write(async (tx) => {
      const seq = await tx.received.insert({ ...message, bytes: raw as Content });
      const attachments = [{ ...attachment, content: content as Content }];
      await tx.emails.insertReceived(
        seq,
        { ...emailOf(id), ...bodiesOf(bodies) },
        [recipientOf('b@x.test')],
        attachments,
      );
    }),
  );
}

/** Returns a text with more than one byte per character. */
function longTextOf(characters: number): string {
  return 'aé€👋\n'.repeat(Math.ceil(characters / 6));
}

function bodiesOf([text, html]: (Content | undefined)[]): Pick<NewEmail, 'text' | 'html'> {
  const bodyOf = (content?: Content) => (content && isStored(content) ? content : String(content));
  return { text: bodyOf(text), html: bodyOf(html) };
}

export function contentSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it.each([
    1,
    7_000,
    COMPRESSED_MAX,
    COMPRESSED_MAX + 1,
    MEBIBYTE / 2,
    MEBIBYTE,
    MEBIBYTE + 1,
    3 * MEBIBYTE,
    3.5 * MEBIBYTE + 1,
  ])('returns a content of %d bytes as it was stored, outside a transaction and in one', async (size) => {
    const store = await open();
    const bytes = bytesOf(size);
    await insertLarge(store, 'msg_1', bytes);

    const { emails, received } = store.read;
    expect((await received.ofEmail('msg_1'))?.bytes.byteLength).toBe(size);
    expect(bytes.equals((await received.ofEmail('msg_1'))?.bytes as Buffer)).toBe(true);
    expect(bytes.equals((await received.bytesOf(1)) as Buffer)).toBe(true);
    expect(bytes.subarray(0, 64 * 1024).equals((await received.headOf(1)) as Buffer)).toBe(true);
    expect(bytes.equals((await emails.attachment('msg_1', 0))?.content as Buffer)).toBe(true);
    expect(await emails.attachments('msg_1')).toMatchObject([{ size }]);
    expect(await received.envelopeOf('msg_1')).toEqual({
      mailFrom: 'a@x.test',
      recipients: ['b@x.test'],
      size,
      sessionId: null,
      keyId: null,
    });
    const { text, html, ...rest } = (await emails.find('msg_1')) ?? emailOf('msg_none');
    expect(text === longTextOf(size) && html === text).toBe(true);
    expect(await emails.findWithoutBodies('msg_1')).toEqual(rest);
    expect(await emails.findWithoutBodies('msg_none')).toBeUndefined();
    const inside = await store.write(async (tx) => (await tx.received.bytesOf(1)) as Buffer);
    expect(bytes.equals(inside)).toBe(true);
  });

  it('commits other work between the chunks of a content', async () => {
    const store = await open();
    const order: string[] = [];
    const large = largeContentsOf(store).use([bytesOf(8 * MEBIBYTE)], async () => order.push('large'));
    for (let n = 0; n < 3; n++) {
      await store.write((tx) => tx.settings.set('n', String(n)));
      order.push('small');
    }
    await large;
    expect(order).toEqual(['small', 'small', 'small', 'large']);
  });

  it('refuses a row that refers to a content deleted by a reset', async () => {
    const store = await open();
    const message = { mailFrom: '', recipients: ['b@x.test'] };
    const inserted = largeContentsOf(store).use([bytesOf(2 * MEBIBYTE)], async ([bytes]) => {
      await store.write((tx) => tx.reset());
      return store.write((tx) => tx.received.insert({ ...message, bytes: bytes as Content }));
    });
    await expect(inserted).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await store.read.received.unparsedRange()).toBeUndefined();
  });

  it('deletes a content that no row refers to, and no other', async () => {
    const store = await open();
    const bytes = bytesOf(2 * MEBIBYTE);
    const used = largeContentsOf(store);
    const message = { mailFrom: '', recipients: ['b@x.test'] };
    let stored: Content | undefined;
    const failing = used.use([bytes], async ([content]) => {
      stored = content;
      await store.write((tx) => tx.received.insert({ ...message, bytes: content as Content }));
      throw new Error('after it was written');
    });
    await expect(failing).rejects.toThrow('after it was written');
    expect(bytes.equals((await store.read.received.bytesOf(1)) as Buffer)).toBe(true);

    let unused: Content | undefined;
    const other = used.use([bytes], async ([content]) => {
      unused = content;
      throw new Error('before it was written');
    });
    await expect(other).rejects.toThrow('before it was written');
    expect(unused).not.toEqual(stored);
    const insertUnused = store.write((tx) => tx.received.insert({ ...message, bytes: unused as Content }));
    await expect(insertUnused).rejects.toBeInstanceOf(StoreUnavailableError);
  });
}
