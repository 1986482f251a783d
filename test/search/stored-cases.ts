import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { Attachment } from '../../src/core/model/contents.js';
import { type Email, newEmail } from '../../src/core/model/emails.js';
import type { SearchDocument } from '../../src/core/model/search.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import type { Store } from '../../src/core/store.js';
import type { Transaction } from '../../src/core/transaction.js';
import { cases } from './cases.js';
import { emails, NOW } from './emails.js';

function emailOf(document: SearchDocument): Email {
  const { recipients, read, warnings, events, attachments, extracts, seq, ...fields } = document;
  const to = recipients.map(({ address }) => address).join(', ');
  return newEmail({ ...fields, to, readAt: read ? NOW : null });
}

const attachmentOf = (filename: string): Attachment => ({
  ...{ filename, contentType: 'application/pdf', contentId: null, disposition: 'attachment' },
  content: Buffer.from('x'),
});

async function insert(tx: Transaction, document: SearchDocument): Promise<void> {
  const { id, recipients, attachments, warnings, events } = document;
  const states = recipients.map((recipient) => ({ ...recipient, dueAt: null, steps: null }));
  await tx.emails.insert(emailOf(document), states, attachments.map(attachmentOf));
  for (const code of warnings) await tx.emails.warn(id, { code: code as 'status_filter', path: '', message: '' });
  for (const [index, type] of events.entries()) {
    const event = { id: `evt_${id}_${index}`, type, createdAt: NOW, emailId: id, recipient: null, payload: '{}' };
    await tx.events.append(event, undefined);
  }
}

/** Runs the shared cases against a store, with the emails in the index and before they are in it. */
export function searchCases(open: () => Store | Promise<Store>): void {
  describe.each(['indexed', 'not indexed'])('emails that are %s', (state) => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await store.write(async (tx) => {
        for (const document of emails) await insert(tx, document);
      });
      const { length } = emails;
      const seqs = await store.read.emails.documents(emails.map(({ id }) => id));
      await store.write(async (tx) => {
        for (const [index, { extracts }] of emails.entries()) {
          if (extracts) await tx.emails.setExtracts(seqs[index]?.seq ?? 0, extracts);
        }
        if (state === 'indexed') await tx.emails.indexNext(length);
      });
      expect(await store.read.emails.unindexed(99)).toBe(
        state === 'indexed' ? 0 : emails.filter(({ extracts }) => extracts).length,
      );
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
