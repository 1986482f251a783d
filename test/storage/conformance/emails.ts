import { describe, expect, it } from 'vitest';
import { emailStatuses } from '../../../src/contract/vocabulary/emails.js';
import type { ServiceWarning } from '../../../src/contract/vocabulary/warnings.js';
import type { EmailFilter } from '../../../src/core/model/emails.js';
import type { Store } from '../../../src/core/store.js';
import type { Transaction } from '../../../src/core/transaction.js';
import { attachment, emailOf, insertEmail, NOON, recipientOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

const ALL = { limit: 1_000, offset: 0 };

export function emailSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('keeps every field', async () => {
    const store = await open();
    const full = emailOf('msg_full');
    const bare = emailOf('msg_bare', {
      origin: 'smtp',
      replyTo: null,
      templateId: null,
      variables: null,
      tags: [],
      scheduledAt: null,
      sentAt: null,
      deliveredAt: null,
      openedAt: null,
      bounceReason: null,
      parseError: 'no headers',
    });
    await store.write(async (tx) => {
      await tx.emails.insert(full, [], []);
      await tx.emails.insert(bare, [], []);
    });
    expect(await store.read.emails.find('msg_full')).toEqual(full);
    expect(await store.read.emails.find('msg_bare')).toEqual(bare);
    expect(await store.read.emails.find('msg_none')).toBeUndefined();
  });

  it('keeps added tags apart from those of the sender', async () => {
    const store = await open();
    const tagged = async (tag: string) => {
      return (await store.read.emails.list({ tags: [tag] }, ALL)).items.map(({ id }) => id);
    };
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1', { tags: ['red'], addedTags: ['todo'] }), [], []);
      await tx.emails.insert(emailOf('msg_2', { tags: ['todo'] }), [], []);
    });
    expect([await tagged('red'), await tagged('todo')]).toEqual([['msg_1'], ['msg_2']]);
    expect(await store.read.emails.countByTag()).toEqual(new Map(Object.entries({ red: 1, todo: 2 })));
    await store.write((tx) => tx.emails.setTags('msg_1', { tags: ['red'], addedTags: ['later', 'red', 'later'] }));
    expect(await store.read.emails.find('msg_1')).toMatchObject({ tags: ['red'], addedTags: ['later'] });
    expect((await store.read.emails.documents(['msg_1']))[0]?.tags).toEqual(['red', 'later']);
    await store.write((tx) => tx.emails.delete(['msg_1']));
    expect(await store.read.emails.countByTag()).toEqual(new Map([['todo', 1]]));
  });

  it('replaces the tags of an email', async () => {
    const store = await open();
    const tagged = async (...tags: string[]) => {
      return (await store.read.emails.list({ tags }, ALL)).items.map(({ id }) => id);
    };
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1', { tags: ['red', 'blue'] }), [], []);
      await tx.emails.insert(emailOf('msg_2', { tags: ['red'] }), [], []);
    });
    expect(await store.write((tx) => tx.emails.setTags('msg_1', { tags: ['green', 'blue'], addedTags: [] }))).toBe(
      true,
    );
    expect(await store.write((tx) => tx.emails.setTags('msg_none', { tags: ['red'], addedTags: [] }))).toBe(false);
    expect((await store.read.emails.find('msg_1'))?.tags).toEqual(['green', 'blue']);
    await store.write((tx) => tx.emails.insert(emailOf('msg_3', { tags: ['blue'], workspace: 'one' }), [], []));
    const counts = new Map(Object.entries({ blue: 2, green: 1, red: 1 }));
    expect(await store.read.emails.countByTag()).toEqual(counts);
    expect(await store.read.emails.countByTag('one')).toEqual(new Map([['blue', 1]]));
    expect(await store.read.emails.countBySender(1)).toEqual(new Map([['shop@example.test', 3]]));
    expect(await store.read.emails.countBySender(1, 'one')).toEqual(new Map([['shop@example.test', 1]]));
    expect([await tagged('red'), await tagged('green'), await tagged('blue')]).toEqual([
      ['msg_2'],
      ['msg_1'],
      ['msg_3', 'msg_1'],
    ]);
  });

  it('keeps recipients, in their order, and attachments, byte for byte', async () => {
    const store = await open();
    const recipients = [
      recipientOf('zoe@example.test'),
      recipientOf('ada@example.test', { kind: 'cc', status: 'bounced' }),
      recipientOf('bob@example.test', { kind: 'bcc' }),
    ];
    const empty = {
      ...attachment,
      filename: '',
      contentId: null,
      disposition: 'attachment' as const,
      content: Buffer.alloc(0),
    };
    await store.write((tx) => tx.emails.insert(emailOf('msg_1'), recipients, [attachment, empty]));
    const { emails } = store.read;
    const stored = recipients.map((recipient, position) => ({ ...recipient, position }));
    expect(await emails.recipients('msg_1')).toEqual(stored);
    expect(await emails.recipient('msg_1', recipients[1]?.mailbox ?? '')).toEqual(stored[1]);
    expect(await emails.recipient('msg_1', 'nobody@example.test')).toBeUndefined();
    const { content, ...info } = attachment;
    const { content: _, ...emptyInfo } = empty;
    expect(await emails.attachments('msg_1')).toEqual([
      { ...info, position: 0, size: content.byteLength },
      { ...emptyInfo, position: 1, size: 0 },
    ]);
    expect(await emails.attachment('msg_1', 0)).toEqual(attachment);
    expect(await emails.attachment('msg_1', 1)).toEqual(empty);
    expect(await emails.attachment('msg_1', 2)).toBeUndefined();
    expect(await emails.attachments('msg_none')).toEqual([]);
    expect(await emails.recipients('msg_none')).toEqual([]);
  });

  it('keeps a received message unchanged, before it is parsed and after', async () => {
    const store = await open();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 256));
    const message = { mailFrom: '', recipients: ['a@x.test', 'A@x.test'], bytes };
    const { emails, received } = store.read;
    expect(await received.unparsedRange()).toBeUndefined();
    expect(await received.unparsedRecipients('worker-1')).toBe(0);
    const email = emailOf('msg_1', { origin: 'smtp', workspace: 'worker-1' });
    await store.write(async (tx) => {
      const number = await tx.received.insert({ ...message, sessionId: 'smtp_1', keyId: 'key_1' });
      await tx.emails.insertReceived(number, { ...email, subject: 'header' }, [], []);
      await tx.received.addUnparsed(number, { sentTo: 2, attempts: 0 });
    });
    const seq = await numberOf(store, 'msg_1');
    expect(await received.unparsedRecipients('worker-1')).toBe(2);
    expect([await received.unparsedRecipients(null), await received.unparsedRecipients('shop')]).toEqual([0, 0]);
    expect(await emails.isParsing('msg_1')).toBe(true);
    expect(await received.unparsed('msg_1')).toEqual({
      ...{ mailFrom: '', recipients: message.recipients, size: bytes.length },
      ...{ seq, id: 'msg_1', workspace: 'worker-1', attempts: 0 },
      ...{ createdAt: email.createdAt, capturedAt: email.capturedAt },
    });
    expect(await received.bytesOf(seq)).toEqual(bytes);
    expect(await received.unparsedRange()).toEqual({ first: seq, last: seq });
    await store.write((tx) => tx.received.countAttempt({ seq, id: 'msg_1' }, 1));
    expect((await received.unparsed('msg_1'))?.attempts).toBe(1);

    const taken = await store.write(async (tx) => {
      const first = await tx.received.claimUnparsed({ seq, id: 'msg_1' });
      await tx.emails.deleteUnparsed(seq);
      await tx.emails.insertReceived(seq, email, [recipientOf('a@x.test')], [attachment]);
      return [first, await tx.received.claimUnparsed({ seq, id: 'msg_1' })];
    });
    expect(taken).toEqual([true, false]);
    expect(await emails.isParsing('msg_1')).toBe(false);
    expect(await received.unparsed('msg_1')).toBeUndefined();
    expect(await emails.find('msg_1')).toEqual(email);
    expect(await emails.attachment('msg_1', 0)).toEqual(attachment);
    expect(await received.ofEmail('msg_1')).toEqual(message);
    expect(await received.envelopeOf('msg_1')).toMatchObject({ sessionId: 'smtp_1', keyId: 'key_1' });
    expect(await received.ofEmail('msg_none')).toBeUndefined();
    expect(await received.unparsedRange()).toBeUndefined();
  });

  /** Returns the number of a message that is not parsed. */
  async function numberOf(store: Store, id: string): Promise<number> {
    return (await store.read.received.unparsed(id))?.seq ?? 0;
  }

  /** Inserts a message that is not parsed. */
  async function insertUnparsed(tx: Transaction, id: string): Promise<void> {
    const seq = await tx.received.insert({ mailFrom: '', recipients: ['b@x.test'], bytes: Buffer.from('x') });
    await tx.emails.insertReceived(seq, emailOf(id, { origin: 'smtp' }), [], []);
    await tx.received.addUnparsed(seq, { sentTo: 1, attempts: 0 });
  }

  it('does not confuse a message with one that had its number before a reset', async () => {
    const store = await open();
    await store.write((tx) => insertUnparsed(tx, 'msg_old'));
    const old = await numberOf(store, 'msg_old');
    await store.write((tx) => tx.reset());
    await store.write((tx) => insertUnparsed(tx, 'msg_new'));
    const seq = await numberOf(store, 'msg_new');

    for (const number of [old, seq]) {
      expect(await store.write((tx) => tx.received.claimUnparsed({ seq: number, id: 'msg_old' }))).toBe(false);
      await store.write((tx) => tx.received.countAttempt({ seq: number, id: 'msg_old' }, 1));
    }
    expect((await store.read.received.unparsed('msg_new'))?.attempts).toBe(0);
  });

  it('lists emails in the order of acceptance, whenever they were parsed', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await insertEmail(tx, 'msg_1');
      await insertUnparsed(tx, 'msg_2');
      await insertEmail(tx, 'msg_3');
      for (const id of ['msg_4', 'msg_5']) await insertUnparsed(tx, id);
    });
    await store.write(async (tx) => {
      for (const id of ['msg_5', 'msg_4', 'msg_2']) {
        const seq = await numberOf(store, id);
        await tx.received.claimUnparsed({ seq, id });
        await tx.emails.deleteUnparsed(seq);
        await tx.emails.insertReceived(seq, emailOf(id), [], []);
      }
    });
    const { items } = await store.read.emails.list({}, ALL);
    expect(items.map(({ id }) => id)).toEqual(['msg_5', 'msg_4', 'msg_3', 'msg_2', 'msg_1']);
  });

  it('changes only the given fields', async () => {
    const store = await open();
    await store.write((tx) =>
      tx.emails.insert(emailOf('msg_1'), [recipientOf('ada@x.test'), recipientOf('bob@x.test')], []),
    );
    await store.write(async (tx) => {
      await tx.emails.setStatus('msg_1', { status: 'bounced', bounceReason: 'full', deliveredAt: null, opensCount: 9 });
      await tx.emails.setRecipient('msg_1', 'bob@x.test', { status: 'bounced', dueAt: null, steps: null });
    });
    expect(await store.read.emails.find('msg_1')).toEqual(
      emailOf('msg_1', { status: 'bounced', bounceReason: 'full', deliveredAt: null, opensCount: 9 }),
    );
    expect((await store.read.emails.recipients('msg_1')).map(({ status }) => status)).toEqual(['sent', 'bounced']);
  });

  it('keeps warnings in their order', async () => {
    const store = await open();
    const found: ServiceWarning[] = [
      { code: 'unknown_field', path: 'tagz', message: 'is not a field' },
      { code: 'content_cut', path: '', message: 'second to none' },
    ];
    await store.write(async (tx) => {
      await insertEmail(tx, 'msg_1');
      for (const warning of found) await tx.emails.warn('msg_1', warning);
    });
    expect(await store.read.emails.warnings('msg_1')).toEqual(found);
    expect(await store.read.emails.warnings('msg_none')).toEqual([]);
  });

  it('lists recipients whose first step is due, in that order, and the next of them', async () => {
    const store = await open();
    const due = (mailbox: string, dueAt: number | null) => recipientOf(mailbox, { dueAt, steps: null });
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1'), [due('a@x.test', NOON + 2), due('b@x.test', null)], []);
      await tx.emails.insert(emailOf('msg_2'), [due('c@x.test', NOON), due('d@x.test', NOON + 1)], []);
    });
    const { emails } = store.read;
    const dueAt = async (until: number, limit = 9) => (await emails.due(until, limit)).map(({ mailbox }) => mailbox);
    expect(await dueAt(NOON - 1)).toEqual([]);
    expect(await dueAt(NOON + 9)).toEqual(['c@x.test', 'd@x.test', 'a@x.test']);
    expect(await dueAt(NOON + 9, 2)).toEqual(['c@x.test', 'd@x.test']);
    expect(await emails.nextDue()).toBe(NOON);

    await store.write((tx) => tx.emails.shiftDue(-10));
    expect(await emails.nextDue()).toBe(NOON - 10);
    await store.write(async (tx) => {
      for (const { emailId, mailbox } of await tx.emails.due(NOON + 9, 9))
        await tx.emails.setRecipient(emailId, mailbox, { status: 'delivered', dueAt: null, steps: null });
    });
    expect(await emails.nextDue()).toBeNull();
    expect(await emails.state('msg_1')).toEqual({ status: 'sent', pending: 2, deliveredAt: NOON + 3 });
    expect(await emails.state('msg_9')).toBeUndefined();
  });

  it('lists the newest first, in pages, with the total of all', async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (let n = 0; n < 7; n++) await insertEmail(tx, `msg_${n}`);
    });
    const page = async (limit: number, offset: number) => {
      const { items, total } = await store.read.emails.list({}, { limit, offset });
      expect(total).toBe(7);
      return items.map(({ id }) => id);
    };
    expect(await page(3, 0)).toEqual(['msg_6', 'msg_5', 'msg_4']);
    expect(await page(3, 3)).toEqual(['msg_3', 'msg_2', 'msg_1']);
    expect(await page(3, 6)).toEqual(['msg_0']);
    expect(await page(3, 7)).toEqual([]);
    expect((await store.read.emails.list({}, { limit: 1, offset: 0 })).items).toEqual([
      {
        id: 'msg_6',
        to: 'Ada <ada@example.test>, bob@example.test',
        from: 'Shop <Shop@Example.test>',
        subject: 'Grüße 👋',
        status: 'sent',
        createdAt: NOON,
        deliveredAt: NOON + 3,
      },
    ]);
  });

  describe('filters', () => {
    const emails = [
      {
        id: 'msg_a',
        createdAt: NOON,
        status: 'delivered',
        fromMailbox: 'one@x.test',
        to: ['ada@x.test'],
        tags: ['red'],
      },
      {
        id: 'msg_b',
        createdAt: NOON + 1,
        status: 'sent',
        fromMailbox: 'two@x.test',
        to: ['bob@x.test', 'ada@x.test'],
        tags: ['red', 'blue'],
      },
      {
        id: 'msg_c',
        createdAt: NOON + 2,
        status: 'sent',
        fromMailbox: 'one@x.test',
        to: ['cy@x.test'],
        tags: ['blue', 'a,b'],
      },
      {
        id: 'msg_d',
        createdAt: NOON + 3,
        status: 'cancelled',
        fromMailbox: 'one@x.test.test',
        to: ['ada@x.test.test'],
        tags: [],
      },
    ] as const;

    async function filled(): Promise<Store> {
      const store = await open();
      await store.write(async (tx) => {
        for (const { id, to, tags, ...rest } of emails) {
          const recipients = to.map((mailbox, index) => recipientOf(mailbox, { kind: index ? 'bcc' : 'to' }));
          await tx.emails.insert(emailOf(id, { ...rest, tags: [...tags] }), recipients, []);
        }
      });
      return store;
    }

    it.each<[string, EmailFilter, string]>([
      ['nothing', {}, 'd c b a'],
      ['a status', { status: 'sent' }, 'c b'],
      ['an unused status', { status: 'complained' }, ''],
      ['the lower bound, inclusive', { fromDate: NOON + 1 }, 'd c b'],
      ['the upper bound, inclusive', { toDate: NOON + 1 }, 'b a'],
      ['both bounds', { fromDate: NOON + 1, toDate: NOON + 2 }, 'c b'],
      ['reversed bounds', { fromDate: NOON + 2, toDate: NOON + 1 }, ''],
      ['the whole sender', { sender: 'one@x.test' }, 'c a'],
      ['any recipient, bcc included', { recipient: 'ada@x.test' }, 'b a'],
      ['a part of a recipient', { recipient: 'ada' }, ''],
      ['one tag', { tags: ['red'] }, 'b a'],
      ['all of several tags', { tags: ['blue', 'red'] }, 'b'],
      ['a tag twice', { tags: ['red', 'red'] }, 'b a'],
      ['a tag with a comma', { tags: ['a,b'] }, 'c'],
      ['an unused tag', { tags: ['red', 'green'] }, ''],
      ['no tags', { tags: [] }, 'd c b a'],
      ['a tag that looks like SQL', { tags: ["' OR 1=1 --"] }, ''],
      [
        'everything at once',
        {
          status: 'sent',
          fromDate: NOON,
          toDate: NOON + 9,
          sender: 'two@x.test',
          recipient: 'ada@x.test',
          tags: ['red'],
        },
        'b',
      ],
    ])('by %s', async (_, filter, expected) => {
      const store = await filled();
      const ids = expected ? expected.split(' ').map((letter) => `msg_${letter}`) : [];
      const { items, total } = await store.read.emails.list(filter, ALL);
      expect(items.map(({ id }) => id)).toEqual(ids);
      expect(total).toBe(ids.length);
      // The total covers all pages.
      const second = await store.read.emails.list(filter, { limit: 1, offset: 1 });
      expect(second.items.map(({ id }) => id)).toEqual(ids.slice(1, 2));
      expect(second.total).toBe(ids.length);
    });

    it.each(emailStatuses)('by the status %s', async (status) => {
      const store = await open();
      await store.write(async (tx) => {
        for (const each of emailStatuses) await insertEmail(tx, `msg_${each}`, { status: each });
      });
      const { items } = await store.read.emails.list({ status }, ALL);
      expect(items.map(({ id }) => id)).toEqual([`msg_${status}`]);
    });

    it('by more tags than a query has room for conditions', async () => {
      const store = await filled();
      const tags = Array.from({ length: 2_000 }, (_, n) => `tag${n}`);
      expect(await store.read.emails.list({ tags }, ALL)).toEqual({ items: [], total: 0 });
    });
  });
}
