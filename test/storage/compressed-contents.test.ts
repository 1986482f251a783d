import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { folderOfEachTest } from '../support/each-test.js';
import { edit } from '../support/storage/damage.js';
import { attachment, emailOf, recipientOf } from './records.js';

const folder = folderOfEachTest();

it('takes less space for messages and HTML up to 64 KiB, and none more for what cannot be compressed', async () => {
  const file = join(folder.path, 'mail.db');
  const store = openSqliteStore({ file });
  const line = 'The parcel of your order was packed by hand. ';
  const bytes = Buffer.from(line.repeat(150));
  const html = line.repeat(1_400);
  const photo = randomBytes(7_000);
  await store.write(async (tx) => {
    const seq = await tx.received.insert({ mailFrom: 'a@x.test', recipients: ['b@x.test'], bytes });
    const attachments = [{ ...attachment, content: photo }];
    await tx.emails.insertReceived(seq, { ...emailOf('msg_1'), html }, [recipientOf('b@x.test')], attachments);
  });
  await store.close();

  const db = new Database(file, { readonly: true });
  const lengthOf = (column: string, table: string) =>
    db.prepare(`SELECT length(${column}) FROM ${table}`).pluck().get() as number;
  expect(lengthOf('bytes', 'received')).toBeLessThan(bytes.length / 10);
  expect(lengthOf('html', 'bodies')).toBeLessThan(html.length / 10);
  expect(lengthOf('content', 'attachments')).toBe(photo.length);
  db.close();
});

it.each([
  ['bodies', 'html', 'emails'],
  ['received', 'bytes', 'received'],
  ['attachments', 'content', 'attachments'],
] as const)('that cannot be read from %s.%s are set aside', async (table, column, moved) => {
  const file = join(folder.path, 'mail.db');
  const store = openSqliteStore({ file });
  const bytes = Buffer.from('The parcel of your order was packed by hand. '.repeat(150));
  await store.write(async (tx) => {
    const seq = await tx.received.insert({ mailFrom: 'a@x.test', recipients: ['b@x.test'], bytes });
    const attachments = [{ ...attachment, content: bytes }];
    const email = { ...emailOf('msg_1'), html: bytes.toString() };
    await tx.emails.insertReceived(seq, email, [recipientOf('b@x.test')], attachments);
  });
  edit(file, `UPDATE ${table} SET ${column} = x'ffff'`);

  const { emails, received } = store.read;
  const read = {
    bodies: () => emails.find('msg_1'),
    received: () => received.ofEmail('msg_1'),
    attachments: () => emails.attachment('msg_1', 0),
  };
  expect(await read[table]()).toBeUndefined();
  await store.close();
  const db = new Database(file, { readonly: true });
  const rows = db.prepare('SELECT table_name, reason FROM quarantine').all();
  db.close();
  expect(rows).toContainEqual({ table_name: moved, reason: 'its content is damaged' });
});
