import { expect, it } from 'vitest';
import type { Query } from '../../../src/contract/vocabulary/query/query.js';
import type { EmailMatcher, Extracts, SearchDocument } from '../../../src/core/model/search.js';
import type { Committed, Store } from '../../../src/core/store.js';
import { attachment, emailOf, eventOf, insertEmail, NOON, recipientOf, setExtracts } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

/** A query that SQL cannot narrow. */
const WIDE: Query = {
  ...{ kind: 'condition', source: 'header:a', position: 0, column: 1 },
  ...{ field: 'header', name: 'a', pattern: { kind: 'contains', text: '' } },
};

function matching(matches: (document: SearchDocument) => boolean): EmailMatcher {
  return { query: WIDE, now: NOON, matches };
}

export const extracts: Extracts = {
  htmlText: 'é',
  links: [{ text: 'Reset', href: 'https://shop.test/r', kind: 'reset' }],
  codes: [{ value: '123456', context: 'Your code is 123 456', confidence: 0.9 }],
  headers: [['Subject', 'Grüße 👋']],
};

export function searchSuite(make: MakeFixture): void {
  const { open } = stores(make);

  async function insertMany(store: Store, count: number): Promise<void> {
    await store.write(async (tx) => {
      for (let n = 1; n <= count; n++) await insertEmail(tx, `msg_${n}`, { capturedAt: NOON + n * 10 });
    });
  }

  it('returns an email as queries test it', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1'), [recipientOf('ada@x.test'), recipientOf('bob@x.test')], [attachment]);
      await tx.emails.warn('msg_1', { code: 'status_filter', path: 'a', message: 'b' });
      for (const id of ['evt_1', 'evt_2']) await tx.events.append(eventOf(id), undefined);
      await insertEmail(tx, 'msg_2', { readAt: null, workspace: null });
    });
    const [unextracted] = (await store.read.emails.unextracted({ extent: 'all', limit: 9 })).emails;
    expect(unextracted).toMatchObject({ seq: 2, id: 'msg_2' });
    expect(await store.read.emails.extraction('msg_2')).toEqual({ seq: 2, isParsed: true, extracts: undefined });
    await store.write((tx) => setExtracts(tx, 'msg_1', extracts));
    expect(await store.read.emails.extraction('msg_1')).toEqual({ seq: 1, isParsed: true, extracts });
    expect(await store.read.emails.extraction('msg_none')).toBeUndefined();

    const [second, first, ...more] = await store.read.emails.documents(['msg_2', 'msg_none', 'msg_1']);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ id: 'msg_2', read: false, workspace: null, warnings: [], events: [] });
    expect(second?.extracts).toBeUndefined();
    const { id, origin, status, from, fromMailbox, replyTo, subject, text, tags, templateId } = emailOf('msg_1');
    expect(first).toEqual({
      ...{
        seq: 1,
        id,
        origin,
        status,
        from,
        fromMailbox,
        replyTo,
        subject,
        text,
        hasHtml: true,
        tags,
        templateId,
        extracts,
      },
      ...{ workspace: 'worker-1', read: true, size: 42, createdAt: NOON, capturedAt: NOON + 7 },
      recipients: [
        expect.objectContaining({ mailbox: 'ada@x.test' }),
        expect.objectContaining({ mailbox: 'bob@x.test' }),
      ],
      attachments: [attachment.filename],
      warnings: ['status_filter'],
      events: ['email.sent'],
    });
  });

  it('lists emails without extracts until they have some', async () => {
    const store = await open();
    await insertMany(store, 3);
    const { emails } = store.read;
    const few = { extent: 'all' as const, limit: 2, before: 3 };
    expect((await emails.unextracted(few)).emails).toMatchObject([
      { seq: 2, id: 'msg_2' },
      { seq: 1, id: 'msg_1' },
    ]);
    expect(await emails.unextractedRange('all')).toEqual({ first: 1, last: 3 });
    expect(await emails.unextractedRange('all', 1)).toEqual({ first: 2, last: 3 });
    expect((await emails.unextracted({ ...few, ids: ['msg_3', 'msg_1'] })).seqs).toEqual([1, 3]);
    await store.write(async (tx) => {
      for (const id of ['msg_1', 'msg_2', 'msg_3']) expect(await setExtracts(tx, id, extracts)).toBe(true);
      const [first] = await tx.emails.documents(['msg_1']);
      if (!first) throw new Error('the email is missing');
      // The first of two writers is kept, and a number of another email is refused.
      expect(await tx.emails.setExtracts(first, { ...extracts, htmlText: 'later' })).toBe(false);
      expect(await tx.emails.setExtracts({ ...first, id: 'msg_2' }, extracts)).toBe(false);
    });
    expect([(await emails.unextracted({ ...few, before: 9 })).emails, await emails.unextractedRange('all')]).toEqual([
      [],
      undefined,
    ]);
    expect((await emails.extraction('msg_1'))?.extracts).toEqual(extracts);
  });

  it('stores what is shown with an email, and finds its links later', async () => {
    const store = await open();
    const { htmlText, headers } = extracts;
    await store.write(async (tx) => {
      await insertEmail(tx, 'msg_1', {}, { htmlText, headers });
      await insertEmail(tx, 'msg_2');
    });
    const { emails } = store.read;

    expect((await emails.extraction('msg_1'))?.extracts).toEqual({ htmlText, headers });
    expect(await emails.unextractedRange('shown')).toEqual({ first: 2, last: 2 });
    expect(await emails.unextractedRange('all')).toEqual({ first: 1, last: 2 });
    expect(await emails.unextractedRange('nothing')).toBeUndefined();
    expect((await emails.unextracted({ extent: 'shown', limit: 9 })).seqs).toEqual([2]);
    await store.write((tx) => setExtracts(tx, 'msg_2', extracts));
    expect(await emails.unextractedRange('shown')).toBeUndefined();
  });

  it('pages through the matches of a query, newest first', async () => {
    const store = await open();
    await insertMany(store, 7);
    const odd = matching(({ seq }) => seq % 2 === 1);
    const page = async (options: object) => {
      const { emails, ...rest } = await store.read.emails.search(odd, { limit: 2, ...options });
      return { ids: emails.map(({ id }) => id), ...rest };
    };
    expect(await page({})).toEqual({ ids: ['msg_7', 'msg_5'], total: 4, isTotalExact: true, next: 5 });
    expect(await page({ before: 5 })).toMatchObject({ ids: ['msg_3', 'msg_1'], next: null });
    expect(await page({ offset: 1 })).toMatchObject({ ids: ['msg_5', 'msg_3'], next: 3 });
    expect(await page({ after: 3 })).toMatchObject({ ids: ['msg_7', 'msg_5'], next: null });
    expect(await page({ workspace: 'worker-2' })).toMatchObject({ ids: [], total: 0, next: null });
  });

  it('never uses the number of a deleted email again, even after a reset', async () => {
    const store = await open();
    await insertMany(store, 3);
    await store.write((tx) => tx.emails.delete(['msg_3']));
    expect(await store.read.emails.lastSeq()).toBe(3);
    await store.write((tx) => insertEmail(tx, 'msg_4'));
    const seqs = async () => (await store.read.emails.documents(['msg_4', 'msg_5'])).map(({ seq }) => seq);
    expect(await seqs()).toEqual([4]);
    await store.write((tx) => tx.received.insert({ mailFrom: '', recipients: [], bytes: Buffer.from('x') }));
    await store.write((tx) => tx.reset());
    await store.write((tx) => insertEmail(tx, 'msg_5'));
    expect(await seqs()).toEqual([6]);
  });

  it('finds the last email captured before an instant', async () => {
    const store = await open();
    expect(await store.read.emails.seqSince(NOON)).toBe(0);
    await insertMany(store, 5);
    await store.write((tx) => tx.emails.delete(['msg_3']));
    const since = [0, 10, 11, 30, 35, 41, 51].map((after) => store.read.emails.seqSince(NOON + after));
    expect(await Promise.all(since)).toEqual([0, 0, 1, 2, 2, 4, 5]);
  });

  it('reports which emails a commit inserted, changed or deleted', async () => {
    const store = await open();
    await insertMany(store, 2);
    const commits: Committed[] = [];
    store.onCommit((committed) => commits.push(committed));
    const changed = async (work: Parameters<Store['write']>[0]) => {
      await store.write(work);
      return commits.splice(0).flatMap(({ emails }) => emails);
    };
    expect(await changed((tx) => setExtracts(tx, 'msg_2', extracts))).toEqual(['msg_2']);
    expect(await changed((tx) => tx.emails.setStatus('msg_1', { status: 'bounced' }))).toEqual(['msg_1']);
    expect(await changed((tx) => tx.events.append(eventOf('evt_1'), undefined))).toEqual(['msg_1']);
    expect(await changed((tx) => tx.emails.setRead('msg_2', null))).toEqual(['msg_2']);
    expect(await changed((tx) => tx.emails.setTags('msg_2', { tags: ['red'], addedTags: [] }))).toEqual(['msg_2']);
    expect(await changed((tx) => tx.emails.delete(['msg_2']))).toEqual(['msg_2']);
    expect(await changed((tx) => tx.settings.set('a', 'b'))).toEqual([]);
    expect(await store.write((tx) => tx.emails.setRead('msg_none', NOON))).toBe(false);
  });
}
