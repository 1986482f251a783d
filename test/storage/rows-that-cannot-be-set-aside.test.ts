import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/core/store.js';
import { suppressionRow } from '../../src/storage/common/tables/suppressions.js';
import { openDatabase } from '../../src/storage/sqlite/files/open.js';
import { RowReader } from '../../src/storage/sqlite/rows/reader.js';
import { SqliteSql } from '../../src/storage/sqlite/sql.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { edit, quarantineOf } from '../support/storage/damage.js';

const REASON_LENGTH = 100_000;
const BAD_ROW = `INSERT INTO suppressions (seq, mailbox, reason, created_at)
  VALUES (1, 'bad@x.test', '${'x'.repeat(REASON_LENGTH)}', 0)`;
const GOOD_ROW = "INSERT INTO suppressions (seq, mailbox, reason, created_at) VALUES (2, 'good@x.test', 'manual', 0)";

let directory: ReturnType<typeof temporaryDirectory>;
let file: string;
let store: Store | undefined;
let faults: unknown[];

beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory.path, 'mail.db');
  faults = [];
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  directory.remove();
});

/** Opens a store with one bad row, whose quarantine SQLite refuses with this conflict resolution. */
function openWithRefusal(resolution: 'ABORT' | 'ROLLBACK'): Store {
  store = openSqliteStore({ file }, { onInternalError: (error) => faults.push(error) });
  edit(file, `${BAD_ROW}; ${GOOD_ROW}`);
  edit(
    file,
    `CREATE TRIGGER refuse BEFORE INSERT ON quarantine BEGIN SELECT RAISE(${resolution}, 'no quarantine'); END`,
  );
  return store;
}

const all = { limit: 10, offset: 0 };
const mailboxes = async (opened: Store) =>
  (await opened.read.suppressions.list(all)).items.map(({ mailbox }) => mailbox);

it('are left out of each read, and each failure that is not of the disk is reported', async () => {
  const opened = openWithRefusal('ABORT');

  expect(await mailboxes(opened)).toEqual(['good@x.test']);
  expect(await mailboxes(opened)).toEqual(['good@x.test']);
  const fault = expect.objectContaining({ message: 'no quarantine' });
  expect(faults).toEqual([fault, fault]);
});

it('fail the whole write when SQLite rolls back its transaction', async () => {
  const opened = openWithRefusal('ROLLBACK');
  const setting = (name: string) => opened.read.settings.get(name, (value) => value);

  const write = opened.write(async (tx) => {
    await tx.settings.set('before', '1');
    await tx.suppressions.list(all);
    await tx.settings.set('after', '1');
  });
  await expect(write).rejects.toThrow('no quarantine');

  expect(await setting('before')).toBeUndefined();
  expect(await setting('after')).toBeUndefined();
  await opened.write((tx) => tx.settings.set('later', '1'));
  expect(await setting('later')).toBe('1');
});

it('are moved although the function that is called for each of them throws', async () => {
  const onSetAside = () => {
    throw new Error('cannot print');
  };
  store = openSqliteStore({ file }, { onSetAside, onInternalError: (error) => faults.push(error) });
  edit(file, `${BAD_ROW}; ${GOOD_ROW}`);

  expect(await mailboxes(store)).toEqual(['good@x.test']);
  expect(await mailboxes(store)).toEqual(['good@x.test']);
  expect(faults).toEqual([expect.objectContaining({ message: 'cannot print' })]);
  expect(quarantineOf(file)).toMatchObject([{ table_name: 'suppressions' }]);
});

/** Limits the size of a database with SQLite's own limit, which fails as a full disk does. */
function limitTo(db: Database.Database, pages: number): void {
  db.pragma(`max_page_count = ${pages}`);
}

it('on a full disk, are reported once and moved when there is room again', async () => {
  const { db } = openDatabase('memory');
  const setAside: unknown[] = [];
  const rows = new RowReader(db, {
    onInternalError: (error) => faults.push(error),
    onSetAside: (row) => setAside.push(row),
  });
  const read = () =>
    rows.all('suppressions', () => new SqliteSql(db).prepare('SELECT * FROM suppressions').all(), suppressionRow.read);
  db.exec(`${BAD_ROW}; ${GOOD_ROW}`);
  limitTo(db, db.pragma('page_count', { simple: true }) as number);

  expect(await read()).toHaveLength(1);
  expect(await read()).toHaveLength(1);
  expect(faults).toEqual([
    expect.objectContaining({ message: 'Cannot write to the database: database or disk is full' }),
  ]);
  expect(setAside).toEqual([]);
  db.exec('BEGIN');
  await expect(read()).rejects.toThrow('database or disk is full');
  expect(db.inTransaction).toBe(false);

  limitTo(db, 1_000_000);
  expect(await read()).toHaveLength(1);
  expect(setAside).toMatchObject([{ table: 'suppressions', key: '1' }]);
  db.close();
});
