import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { SearchDocument } from '../../src/core/model/search.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import type { Store } from '../../src/core/store.js';
import { cases } from './cases.js';
import { emails, NOW } from './emails.js';
import { storeEmails } from './stored-emails.js';

/** Runs the shared cases against a store, with the emails in the index and before they are in it. */
export function searchCases(open: () => Store | Promise<Store>): void {
  describe.each(['indexed', 'not indexed'])('emails that are %s', (state) => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await storeEmails(store, state === 'indexed');
      while ((await store.read.emails.unindexed(1)) > 0) await store.write((tx) => tx.emails.indexNext(99));
      // An email that is left out of the index does not wait for it.
      expect(await store.read.emails.unindexed(99)).toBe(0);
    });
    afterAll(() => store.close());

    it('have the documents of the cases', async () => {
      const documents = await store.read.emails.documents(emails.map(({ id }) => id));
      const plain = (all: readonly SearchDocument[]) => all.map(({ seq, ...document }) => document);
      const expected = emails.map((document) => ({
        ...document,
        recipients: document.recipients.map((recipient) => expect.objectContaining(recipient)),
      }));
      expect(plain(documents)).toEqual(plain(expected as never));
    });

    it.each(cases)('are found by %j: %j', async (query, ids) => {
      const compiled = await compileQuery(parseQuery(query), { now: NOW });
      const found = await store.read.emails.search(compiled, { limit: 100 });
      const names = found.emails.map(({ id }) => id.replace('msg_', '')).toReversed();
      expect(names.join(' ')).toBe(ids);
      expect([found.total, found.isTotalExact, found.next]).toEqual([names.length, true, null]);
    });
  });
}
