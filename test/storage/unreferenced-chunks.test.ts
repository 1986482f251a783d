import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/store.js';
import type { Transaction } from '../../src/core/transaction.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { edit } from '../support/storage/damage.js';
import { bytesOf, insertLarge } from './conformance/contents.js';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

/** The chunks of a message of 2 MiB, an attachment of 2 MiB, and two bodies of as many characters. */
const REFERENCED = 2 + 2 + 2 * 4;
const bytes = bytesOf(2 * 1024 * 1024);
const message = { mailFrom: 'a@x.test', recipients: ['b@x.test'] };

function chunksIn(file: string): unknown {
  const db = new Database(file);
  try {
    return db.prepare('SELECT count(*) FROM chunks').pluck().get();
  } finally {
    db.close();
  }
}

it('are deleted at the start after a crash', async () => {
  const [file, copy] = [join(directory.path, 'mail.db'), join(directory.path, 'copy.db')];
  const living = openSqliteStore({ file });
  await insertLarge(living, 'msg_1', bytes);
  await living.write((tx) => tx.contents.append('content_x', 0, bytes));
  // The contents of the disk if the process is killed now.
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  expect(chunksIn(file)).toBe(REFERENCED + 1);

  const next = openSqliteStore({ file: copy });
  expect(chunksIn(copy)).toBe(REFERENCED);
  expect(bytes.equals((await next.read.received.ofEmail('msg_1'))?.bytes as Buffer)).toBe(true);
  await Promise.all([living.close(), next.close()]);
});

it('are deleted when the store closes, but not those of another process', async () => {
  const file = join(directory.path, 'mail.db');
  const [store, other] = [openSqliteStore({ file }), openSqliteStore({ file })];
  await insertLarge(store, 'msg_1', bytes);
  await store.write((tx) => tx.contents.append('content_x', 0, bytes));
  await other.write((tx) => tx.contents.append('content_y', 0, bytes));
  await store.close();
  expect(chunksIn(file)).toBe(REFERENCED + 1);
  await other.close();
  expect(chunksIn(file)).toBe(REFERENCED);
});

it('do not keep the database open when they cannot be deleted', async () => {
  const file = join(directory.path, 'mail.db');
  const faults: unknown[] = [];
  const store = openSqliteStore({ file }, { onInternalError: (error) => faults.push(error) });
  await store.write((tx) => tx.contents.append('content_x', 0, bytes));
  edit(file, "CREATE TRIGGER refuse BEFORE DELETE ON chunks BEGIN SELECT RAISE(ABORT, 'no deletes'); END");

  await store.close();
  // SQLite removes the log when the last connection to the file closes.
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(faults).toEqual([expect.objectContaining({ message: 'no deletes' })]);
});

describe.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['refers to them', (tx) => tx.received.insert({ ...message, bytes: { key: 'content_x', size: bytes.byteLength } })],
  ['deletes them', (tx) => tx.contents.delete('content_x')],
])('are deleted when the store closes after a write that %s', (_, work) => {
  const failures: [string, (store: Store) => Promise<void>][] = [
    [
      'fails by itself',
      (store) =>
        store.write(async (tx) => {
          await work(tx);
          throw new Error('failed');
        }),
    ],
    [
      'cannot be committed',
      (store) => {
        store.beforeCommit(() => {
          throw new Error('failed');
        });
        return store.write(async (tx) => {
          await work(tx);
          await tx.jobs.add({ kind: 'email.deliver', runAt: 0, payload: {} });
        });
      },
    ],
  ];
  it.each(failures)('and %s', async (_, fail) => {
    const file = join(directory.path, 'mail.db');
    const store = openSqliteStore({ file });
    await store.write((tx) => tx.contents.append('content_x', 0, bytes));
    await expect(fail(store)).rejects.toThrow('failed');
    expect(chunksIn(file)).toBe(1);
    await store.close();
    expect(chunksIn(file)).toBe(0);
  });
});

it('are not exported with an archive', async () => {
  const file = join(directory.path, 'mail.db');
  const store = openSqliteStore({ file });
  await insertLarge(store, 'msg_1', bytes);
  await store.write((tx) => tx.contents.append('content_x', 0, bytes));
  const snapshot = await store.snapshot();
  const staged = await store.stage(snapshot.read());
  await snapshot.discard();
  await store.write((tx) => tx.replace(staged));
  await staged.discard();
  expect(chunksIn(file)).toBe(REFERENCED);
  expect(bytes.equals((await store.read.emails.attachment('msg_1', 0))?.content as Buffer)).toBe(true);
  await store.close();
});

it('a row whose chunk is missing is set aside, and its other rows are read', async () => {
  const file = join(directory.path, 'mail.db');
  const setAside: unknown[] = [];
  const store = openSqliteStore({ file }, { onSetAside: (row) => setAside.push(row) });
  await insertLarge(store, 'msg_1', bytes);
  const db = new Database(file);
  db.exec('DELETE FROM chunks WHERE position = 1');
  db.close();

  expect(await store.read.received.ofEmail('msg_1')).toBeUndefined();
  expect(await store.read.emails.attachment('msg_1', 0)).toBeUndefined();
  expect(await store.read.emails.findWithoutBodies('msg_1')).toMatchObject({ id: 'msg_1' });
  expect(await store.read.emails.find('msg_1')).toBeUndefined();
  expect(await store.read.emails.findWithoutBodies('msg_1')).toBeUndefined();
  const reason = 'a part of its content is missing';
  expect(setAside).toEqual([
    { table: 'received', key: '1', reason },
    { table: 'attachments', key: '1/0', reason },
    { table: 'emails', key: '1', reason },
  ]);
  await store.close();
});
