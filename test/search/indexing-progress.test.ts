import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeIndexing } from '../../src/cli/server/startup-message.js';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import { IndexProgress } from '../../src/core/search/search-indexing.js';
import type { Store } from '../../src/core/store.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { extracts } from '../storage/conformance/search.js';
import { insertEmail, NOON } from '../storage/records.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { edit } from '../support/storage/damage.js';

const COUNT = 5_100;

let directory: ReturnType<typeof temporaryDirectory>;
let store: Store;
let progress: IndexProgress;
const lines: string[] = [];
/** The callbacks of timers that run. */
let timers: (() => void)[];
const clock = {
  after(_: number, callback: () => void) {
    timers.push(callback);
    return () => {};
  },
};

beforeEach(async () => {
  lines.length = 0;
  timers = [];
  directory = temporaryDirectory();
  const file = join(directory.path, 'mail.db');
  const before = openSqliteStore({ file });
  await before.write(async (tx) => {
    for (let n = 1; n <= COUNT; n += 1) await insertEmail(tx, `msg_${n}`, { subject: `Order ${n}` }, extracts);
  });
  await before.close();
  edit(file, "INSERT INTO search (search) VALUES ('delete-all')");
  store = openSqliteStore({ file });
  progress = new IndexProgress({ store, clock } as unknown as ConstructorParameters<typeof IndexProgress>[0]);
  progress.onReport((reported) => lines.push(describeIndexing(reported)));
});
afterEach(async () => {
  await progress.stop();
  await store.close();
  directory.remove();
});

async function pass(): Promise<void> {
  const timer = timers.shift();
  timer?.();
  await expect.poll(() => timers.length).toBe(1);
}

it('reports how many emails are indexed until all are, and searches find all meanwhile', async () => {
  progress.start();
  await expect.poll(() => timers.length).toBe(1);
  await store.write((tx) => tx.emails.indexNext(2_000));
  await pass();

  const compiled = await compileQuery(parseQuery('subject:"order 3"'), { now: NOON });
  const [found, exact] = [await store.read.emails.search(compiled, { limit: COUNT }), /^3/];
  const expected = Array.from({ length: COUNT }, (_, n) => String(n + 1)).filter((n) => exact.test(n));
  expect(found.total).toBe(expected.length);
  expect(await store.read.emails.waitingForIndex()).toBe(COUNT - 2_000);

  await store.write((tx) => tx.emails.indexNext(COUNT));
  await pass();
  expect(lines).toEqual([
    'Indexing emails for searches: 0 of 5,100. Searches are slower until this is complete.',
    'Indexing emails for searches: 2,000 of 5,100. Searches are slower until this is complete.',
    'Indexed 5,100 emails for searches.',
  ]);
});

it('reports nothing while few emails wait', async () => {
  await store.write((tx) => tx.emails.indexNext(200));
  progress.start();
  await expect.poll(() => timers.length).toBe(1);
  expect(lines).toEqual([]);
});
