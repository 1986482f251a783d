import type { Attachment } from '../../src/core/model/contents.js';
import { type Email, newEmail } from '../../src/core/model/emails.js';
import type { Extracts, SearchDocument } from '../../src/core/model/search.js';
import type { Store } from '../../src/core/store.js';
import type { Transaction } from '../../src/core/transaction.js';
import { emails, NOW } from './emails.js';

/** Stores the emails of the shared cases, with their extracts. Leaves them out of the index unless `indexed` is set. */
export async function storeEmails(store: Store, indexed: boolean): Promise<void> {
  await store.write(async (tx) => {
    for (const document of emails) await insert(tx, document);
  });
  await store.write(async (tx) => {
    for (const stored of await tx.emails.documents(emails.map(({ id }) => id))) {
      const extracts = emails.find(({ id }) => id === stored.id)?.extracts as Extracts | undefined;
      // An email whose content was shown before is not indexed again.
      if (extracts) await tx.emails.setExtracts(indexed ? stored : { ...stored, extracts }, extracts);
    }
  });
}

function emailOf(document: SearchDocument): Email {
  const { recipients, read, warnings, events, attachments, extracts, seq, hasHtml, ...fields } = document;
  const to = recipients.map(({ address }) => address).join(', ');
  return newEmail({ ...fields, html: hasHtml ? '<p>HTML</p>' : '', to, readAt: read ? NOW : null });
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
