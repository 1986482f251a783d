import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectDatabase } from '../../src/storage/repair.js';
import { badRows } from '../../src/storage/sqlite/check-rows.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { edit } from '../support/storage/damage.js';
import { bytesOf, insertLarge } from './conformance/contents.js';
import { emailOf } from './records.js';

let made: ReturnType<typeof temporaryDirectory>;
let directory: ReturnType<typeof temporaryDirectory>;
let file: string;

// One email whose bodies, attachment and received message are stored in chunks, created once and copied for each test.
beforeAll(async () => {
  made = temporaryDirectory();
  const store = openSqliteStore({ file: join(made.path, 'mail.db') });
  await insertLarge(store, 'msg_1', bytesOf(2 * 1024 * 1024));
  await store.close();
});
afterAll(() => made.remove());
beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory.path, 'mail.db');
  copyFileSync(join(made.path, 'mail.db'), file);
});
afterEach(() => directory.remove());

const NOT_A_NUMBER = 'size is not a valid number';

const cases: [sql: string, table: string, key: string, reason: string][] = [
  ['UPDATE bodies SET text_size = -1', 'bodies', '1', `text_${NOT_A_NUMBER}`],
  ['UPDATE bodies SET text_size = NULL', 'bodies', '1', `text_${NOT_A_NUMBER}`],
  ['UPDATE bodies SET html_size = 9000000000000000000', 'bodies', '1', `html_${NOT_A_NUMBER}`],
  ['UPDATE received SET size = -1', 'received', '1', NOT_A_NUMBER],
  ["UPDATE received SET content_key = NULL, size = -1, bytes = x'00'", 'received', '1', NOT_A_NUMBER],
];

it.each(cases)('an inspection finds the row and an import sets it aside after %s', async (sql, table, key, reason) => {
  edit(file, sql);
  expect((await inspectDatabase(file)).rows).toEqual([{ table, key, reason }]);

  const [source, target] = [openSqliteStore({ file }), openSqliteStore('memory')];
  const snapshot = await source.snapshot();
  const staged = await target.stage(snapshot.read());
  expect(staged.setAside).toBe(1);
  await staged.discard();
  await snapshot.discard();
  await Promise.all([source.close(), target.close()]);
});

describe('a large column of the wrong type', () => {
  /** Removes the word STRICT from the schema first, because STRICT tables refuse such a column. */
  function withoutStrict() {
    const db = new Database(file);
    db.unsafeMode();
    db.pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE type = 'table'");
    db.close();
  }

  it.each([
    ['bodies', 'text', "x'00'", 'text is not text'],
    ['bodies', 'html', "'x'", 'html is not bytes'],
    ['attachments', 'content', "'x'", 'content is not bytes'],
    ['received', 'bytes', "'x'", 'bytes is not bytes'],
    ['chunks', 'bytes', "'x'", 'bytes is not bytes'],
  ])('is found in %s.%s', async (table, column, value, reason) => {
    withoutStrict();
    edit(file, `UPDATE ${table} SET ${column} = ${value} WHERE rowid = 1`);

    const { fileErrors, rows } = await inspectDatabase(file);
    expect(fileErrors).toEqual([]);
    expect(rows).toMatchObject([{ table, reason }]);
  });
});

it('reads no body of an email or a template', async () => {
  const store = openSqliteStore({ file });
  await store.write((tx) => tx.emails.insert({ ...emailOf('msg_2'), text: 'body', html: 'body' }, [], []));
  await store.write((tx) =>
    tx.templates.insert({
      id: 'tpl_1',
      name: 'a',
      subject: '',
      text: 'body',
      html: 'body',
      createdAt: 0,
      updatedAt: 0,
    }),
  );
  await store.close();
  edit(
    file,
    "UPDATE bodies SET text_key = 'key', text_size = -1 WHERE email_seq = 2; UPDATE templates SET created_at = -1",
  );

  const db = new Database(file, { readonly: true });
  const rows: unknown[] = [];
  for await (const { row } of badRows(db)) rows.push(row);
  db.close();
  expect(rows).toMatchObject([
    { email_seq: 2n, text: '', html: Buffer.alloc(0) },
    { id: 'tpl_1', text: '', html: '' },
  ]);
});
