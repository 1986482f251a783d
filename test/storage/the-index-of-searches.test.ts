import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import type { Store } from '../../src/core/store.js';
import { inspectDatabase, repairDatabase } from '../../src/storage/repair.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { edit } from '../support/storage/damage.js';
import { indexProblems } from '../support/storage/index-problems.js';
import { extracts } from './conformance/search.js';
import { insertEmail, NOON } from './records.js';

let directory: ReturnType<typeof temporaryDirectory>;
let file: string;
let store: Store;

const COUNT = 30;

beforeEach(async () => {
  directory = temporaryDirectory();
  file = join(directory.path, 'mail.db');
  store = openSqliteStore({ file });
  await store.write(async (tx) => {
    for (let n = 1; n <= COUNT; n += 1) {
      await insertEmail(tx, `msg_${n}`, { subject: `Order 10${n}`, text: 'x', tags: [`t${n % 3}`] }, extracts);
    }
  });
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

async function found(text: string, workspace?: string): Promise<string[]> {
  const compiled = await compileQuery(parseQuery(text), { now: NOON });
  return (await store.read.emails.search(compiled, { limit: 50, workspace })).emails.map(({ id }) => id);
}

async function indexAll(): Promise<void> {
  while ((await store.read.emails.unindexed(1)) > 0) await store.write((tx) => tx.emails.indexNext(7));
}

it('agrees with the emails after changes, deletions and a reset', async () => {
  expect(indexProblems(file)).toEqual([]);
  await store.write(async (tx) => {
    await tx.emails.delete(['msg_1', 'msg_25']);
    await tx.emails.setStatus('msg_2', { status: 'bounced' });
  });
  await indexAll();
  expect(indexProblems(file)).toEqual([]);
  expect(await found('subject:"order 102"')).toEqual([
    'msg_29',
    'msg_28',
    'msg_27',
    'msg_26',
    'msg_24',
    'msg_23',
    'msg_22',
    'msg_21',
    'msg_20',
    'msg_2',
  ]);
  expect(await store.read.emails.countByStatus()).toEqual(
    new Map([
      ['bounced', 1],
      ['sent', COUNT - 3],
    ]),
  );
  await store.write((tx) => tx.reset());
  expect(indexProblems(file)).toEqual([]);
  expect([await found('order'), await store.read.emails.countByStatus()]).toEqual([[], new Map()]);
});

it('keeps the counts when a write of a commit fails', async () => {
  await store.write((tx) => insertEmail(tx, 'msg_31')).catch(() => {});
  const failing = store.write(async (tx) => {
    await tx.emails.delete(['msg_3']);
    await insertEmail(tx, 'msg_32');
    throw new Error('as asked for');
  });
  await Promise.all([
    expect(failing).rejects.toThrow('as asked for'),
    store.write((tx) => tx.emails.delete(['msg_4'])),
  ]);
  expect(indexProblems(file)).toEqual([]);
  expect((await store.read.emails.list({}, { limit: 1, offset: 0 })).total).toBe(COUNT);
});

it('lists from a large offset, in total and of one tag', async () => {
  const page = async (filter: object, offset: number) => {
    const { items, total } = await store.read.emails.list(filter, { limit: 2, offset });
    return [items.map(({ id }) => id), total];
  };
  await store.write(async (tx) => {
    for (let n = 31; n <= 2_100; n += 1) await insertEmail(tx, `msg_${n}`, { tags: [`t${n % 3}`] });
  });
  expect(await page({}, 2_050)).toEqual([['msg_50', 'msg_49'], 2_100]);
  expect(await page({ tags: ['t1'] }, 690)).toEqual([['msg_28', 'msg_25'], 700]);
  expect(await page({ tags: ['t1', 't1'], status: 'sent' }, 690)).toEqual([['msg_28', 'msg_25'], 700]);
  expect(await page({ sender: 'shop@example.test' }, 2_099)).toEqual([['msg_1'], 2_100]);
  expect(await page({}, 2_100)).toEqual([[], 2_100]);
});

it.each([
  ['is missing', 'DROP TABLE search'],
  ['is empty', "INSERT INTO search (search) VALUES ('delete-all')"],
])('is made again at the next start when it %s', async (_, sql) => {
  await indexAll();
  await store.close();
  edit(file, sql);
  store = openSqliteStore({ file });
  expect(await store.read.emails.unindexed(99)).toBe(COUNT);
  expect(await found('subject:"order 1011"')).toEqual(['msg_11']);
  await indexAll();
  expect(indexProblems(file)).toEqual([]);
});

it('is made again when it is damaged, and searches find everything meanwhile', async () => {
  await indexAll();
  await store.close();
  damage();
  store = openSqliteStore({ file });
  expect(await found('subject:"order 1011"')).toEqual(['msg_11']);
  await indexAll();
  expect(await found('subject:"order 1011"')).toEqual(['msg_11']);
  expect((await inspectDatabase(file)).rows).toEqual([]);
});

it('is not read for a workspace with few emails', async () => {
  await indexAll();
  await store.write((tx) => insertEmail(tx, 'msg_31', { subject: 'Order 1031', workspace: 'other' }));
  await store.close();
  damage();
  store = openSqliteStore({ file });
  expect(await found('subject:"order 1"', 'other')).toEqual(['msg_31']);
  expect(await found('workspace:other subject:"order 1"')).toEqual(['msg_31']);
  expect(await store.read.emails.unindexed(99)).toBe(0);
  // Reading it would have found it damaged.
  expect(await found('subject:"order 1031"')).toEqual(['msg_31']);
  expect(await store.read.emails.unindexed(99)).toBe(99);
});

it('is made again when a deletion or an added email finds it damaged', async () => {
  await indexAll();
  await store.close();
  damage('1');
  store = openSqliteStore({ file });
  await store.write(async (tx) => {
    expect(await tx.emails.delete(['msg_11'])).toBe(1);
    await insertEmail(tx, 'msg_31', { subject: 'Order 1031' }, extracts);
  });
  await indexAll();
  expect(await found('subject:"order 103"')).toEqual(['msg_31', 'msg_30', 'msg_3']);
  expect(await found('subject:"order 1011"')).toEqual([]);
  expect((await inspectDatabase(file)).rows).toEqual([]);
  expect(indexProblems(file)).toEqual([]);
});

it('keeps its settings when it is made again', async () => {
  const settings = () => {
    const db = new Database(file, { readonly: true });
    const rows = db.prepare('SELECT * FROM search_config ORDER BY k').all();
    db.close();
    return rows;
  };
  const before = settings();
  expect(before).toContainEqual({ k: 'deletemerge', v: 50 });
  await store.close();
  const db = new Database(file);
  db.exec('DROP TABLE search');
  db.close();
  store = openSqliteStore({ file });
  expect(settings()).toEqual(before);
});

it('is repaired with the other rows', async () => {
  await indexAll();
  await store.close();
  damage();
  const damaged = [{ table: 'search', key: 'index', reason: 'the index of searches is damaged' }];
  expect(await inspectDatabase(file)).toMatchObject({ fileErrors: [], rows: damaged });
  expect(await repairDatabase(file)).toEqual(damaged);
  expect(await inspectDatabase(file)).toMatchObject({ fileErrors: [], rows: [] });
  store = openSqliteStore({ file });
  expect(await store.read.emails.unindexed(99)).toBe(COUNT);
});

/** Overwrites the contents of the index, or other parts of it. */
function damage(where = 'id > 100'): void {
  const db = new Database(file);
  db.unsafeMode();
  db.exec(`UPDATE search_data SET block = x'0102030405060708' WHERE ${where}`);
  db.close();
}

it('has no counts of values that occur in no email', async () => {
  await store.write(async (tx) => {
    await tx.emails.delete(Array.from({ length: COUNT }, (_, n) => `msg_${n + 1}`));
  });
  const db = new Database(file, { readonly: true });
  expect(db.prepare('SELECT * FROM email_counts').all()).toEqual([]);
  expect(db.prepare('SELECT * FROM tag_forms').all()).toEqual([]);
  db.close();
});

it('compares a tag with the white space of a query', async () => {
  await store.write(async (tx) => {
    for (let n = 1; n <= COUNT; n += 1) if (n % 3 !== 1) await tx.emails.delete([`msg_${n}`]);
  });
  expect((await found('-tag:" t1"')).length).toBe(COUNT / 3);
  expect(await found('-tag:t1')).toEqual([]);
});

it('counts the emails with HTML again after their content was set aside', async () => {
  await store.write((tx) => insertEmail(tx, 'msg_31', { html: '<p>x</p>' }));
  await store.close();
  edit(file, "UPDATE bodies SET html_key = 'k', html_size = -1 WHERE email_seq = 31");
  expect(await repairDatabase(file)).toMatchObject([{ table: 'bodies' }]);
  const db = new Database(file, { readonly: true });
  const counted = db.prepare("SELECT sum(count) FROM email_counts WHERE field = 'has'").pluck();
  expect(counted.get()).toBe(COUNT);
  db.close();
  store = openSqliteStore({ file });
});

it('counts emails again after a repair, and searches the content of those whose extracts were damaged', async () => {
  await indexAll();
  await store.close();
  edit(file, "UPDATE email_counts SET count = -1 WHERE field = 'status'");
  edit(file, "UPDATE email_extracts SET links = 'no' WHERE email_seq = 3");
  await repairDatabase(file);
  store = openSqliteStore({ file });
  expect(await store.read.emails.countByStatus()).toEqual(new Map([['sent', COUNT]]));
  expect(await store.read.emails.unextractedRange('shown')).toEqual({ first: 3, last: 3 });
});

it('finds every large email, although they are read in several steps', async () => {
  await store.write(async (tx) => {
    for (const n of [31, 32, 33]) await insertEmail(tx, `msg_${n}`, { text: 'a large one', size: 5_000_000 });
  });
  const large = ['msg_33', 'msg_32', 'msg_31'];
  expect(await found('"a large one"')).toEqual(large);
  expect((await store.read.emails.documents(large)).map(({ id }) => id)).toEqual(large);
});

it('is made again from an imported archive', async () => {
  await indexAll();
  const snapshot = await store.snapshot();
  const target = openSqliteStore('memory');
  const staged = await target.stage(snapshot.read());
  await target.write((tx) => tx.replace(staged));
  expect(await target.read.emails.unindexed(99)).toBe(COUNT);
  expect(await target.read.emails.countByStatus()).toEqual(new Map([['sent', COUNT]]));
  await Promise.all([staged.discard(), snapshot.discard()]);
  await target.close();
});
