import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteBatches } from '../../src/core/mail/deletion.js';
import { type Store, UnsupportedStoreError } from '../../src/core/store.js';
import { migrate } from '../../src/storage/sqlite/migrations.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { emailOf } from './records.js';

const COUNT = 400;
const idsOf = (run: string) => Array.from({ length: COUNT }, (_, index) => `msg_${run}${index}`);

describe('the database', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let file: string;
  let store: Store;

  beforeEach(() => {
    directory = temporaryDirectory();
    file = join(directory.path, 'mail.db');
  });
  afterEach(async () => {
    await store.close();
    directory.remove();
  });

  const fill = (run: string) =>
    store.write(async (tx) => {
      for (const id of idsOf(run))
        await tx.emails.insert(emailOf(id, { html: randomBytes(9_000).toString('base64') }), [], []);
    });

  it('uses the space of deleted emails again', async () => {
    store = openSqliteStore({ file });
    await fill('a');
    const { bytes } = await store.size();
    expect(await deleteBatches(store, [idsOf('a')])).toBe(COUNT);
    expect((await store.size()).free).toBeGreaterThan(bytes / 2);
    await fill('b');
    expect((await store.size()).bytes).toBeLessThan(bytes * 1.02);
    expect((await store.size()).free).toBeLessThan(bytes / 20);
  });

  it('returns space in short transactions, up to a limit or all', async () => {
    store = openSqliteStore({ file });
    await fill('a');
    await deleteBatches(store, [idsOf('a').slice(1)]);
    const before = await store.size();

    const [, kept] = await Promise.all([
      store.compact({ full: false, maxBytes: 1_000_000 }),
      // Other writes go on.
      store.write((tx) => tx.emails.insert(emailOf('msg_meanwhile'), [], [])),
    ]);
    expect(kept).toBeUndefined();
    const some = await store.size();
    expect(before.bytes - some.bytes).toBeGreaterThan(900_000);
    expect(before.bytes - some.bytes).toBeLessThan(2_000_000);

    await store.compact({ full: false, maxBytes: before.bytes });
    expect((await store.size()).free).toBe(0);
    expect(statSync(file).size).toBe((await store.size()).bytes);
    expect((await store.size()).bytes).toBeLessThan(before.bytes / 4);
    expect((await store.read.emails.find('msg_a0'))?.html).toHaveLength(12_000);
    expect(await store.read.emails.find('msg_meanwhile')).toBeDefined();
  });

  it('of an earlier version is rewritten in full once, and then returns space like a new one', async () => {
    const earlier = new Database(file);
    migrate(earlier);
    earlier.close();
    store = openSqliteStore({ file });
    await store.compact({ full: false, maxBytes: 1 });
    await fill('a');
    await deleteBatches(store, [idsOf('a').slice(1)]);
    const before = await store.size();

    await expect(store.compact({ full: false, maxBytes: before.bytes })).rejects.toThrow(UnsupportedStoreError);
    expect(await store.size()).toEqual(before);

    await store.compact({ full: true, maxBytes: 0 });
    expect((await store.size()).free).toBe(0);
    expect(statSync(file).size).toBe((await store.size()).bytes);
    expect((await store.read.emails.find('msg_a0'))?.html).toHaveLength(12_000);

    await fill('b');
    await deleteBatches(store, [idsOf('b')]);
    await store.compact({ full: false, maxBytes: before.bytes });
    expect((await store.size()).free).toBe(0);
  });

  it('of a server in memory becomes smaller too', async () => {
    store = openSqliteStore('memory');
    await fill('a');
    await deleteBatches(store, [idsOf('a')]);
    const before = await store.size();
    await store.compact({ full: false, maxBytes: before.bytes });
    expect((await store.size()).bytes).toBeLessThan(before.bytes / 4);
    await fill('b');
    await deleteBatches(store, [idsOf('b')]);
    await store.compact({ full: true, maxBytes: 0 });
    expect((await store.size()).bytes).toBeLessThan(before.bytes / 4);
  });
});
