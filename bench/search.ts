import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../src/contract/vocabulary/query/parse-query.js';
import type { EmailFilter } from '../src/core/model/emails.js';
import { compileQuery } from '../src/core/search/compile-query.js';
import type { Store } from '../src/core/store.js';
import { openSqliteStore } from '../src/storage/sqlite/store.js';
import { describeMachine, median, printTable } from './support/figures.js';
import { fill, START } from './support/search-fill.js';

/** Measures searches and lists at several sizes: `npm run bench:search -- 1000 10000 100000 1000000`. */

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 9;
const LIMIT = 50;
/** The size with which the others are compared. */
const COMPARED = 10_000;

/** The first page of each query. Those in the first group match few emails. */
const queries: Record<string, (size: number) => string> = {
  'order number in the text': (size) => `order-${(Math.floor(size / 3) * 7_919) % 10_000_019}`,
  'number in the subject': (size) => `subject:#${100_000 + Math.floor(size / 3)}`,
  'phrase that no email has': () => '"unsubscribe from this list"',
  'whole address': (size) => `to:user${Math.floor(size / 3)}@example.test`,
  'part of an address': (size) => `to:user${Math.floor(size / 3)}@`,
  'glob of an address': (size) => `to:*r${Math.floor(size / 3)}@example.test`,
  'id:': (size) => `id:msg_${String(Math.floor(size / 3)).padStart(26, '0')}`,
  'rare tag': (size) => `tag:run-${Math.floor(size / 1_000) * 500}`,
  'regex with a literal': (size) => `text:/order-${(Math.floor(size / 3) * 7_919) % 10_000_019}\\.?/`,
  'is:read': () => 'is:read',
  'has:attachment': () => 'has:attachment',
  'larger:1MB': () => 'larger:1MB',
  'status:bounced': () => 'status:bounced',
  'all emails': () => '',
  'common word': () => 'password',
  'two common words': () => 'password -invoice',
  'common word in subjects': () => 'subject:password',
  'one word or another': () => 'refund OR ticket',
  'common tag': () => 'tag:welcome',
  'tag and word': () => 'tag:welcome password',
  'status:delivered': () => 'status:delivered',
  'from: and a word': () => 'from:shop@example.test refund',
  'older than a date': (size) => `before:${new Date(START + (size / 2) * 1_000).toISOString()}`,
  'two characters that no email has': () => 'zq',
  'glob of tags': (size) => `tag:run-${Math.floor(size / 1_000)}*`,
  'rare tag and word': (size) => `tag:run-${Math.floor(size / 1_000) * 500} password`,
  'is:read and word': () => 'is:read password',
  'larger:10KB': () => 'larger:10KB',
  'no status that an email has': () => '-status:delivered -status:bounced',
  '-has:html': () => '-has:html',
  'has:code': () => 'has:code',
  'event:email.opened': () => 'event:email.opened',
  'template:': () => 'template:tpl_none',
  'header:': () => 'header:x-none=a',
  'regex that no email matches': () => 'text:/q{3}x/',
};

const lists: Record<string, (size: number) => { filter: EmailFilter; offset: number }> = {
  'GET /v1/emails': () => ({ filter: {}, offset: 0 }),
  '… offset of half': (size) => ({ filter: {}, offset: size / 2 }),
  '… status=delivered, offset of half': (size) => ({ filter: { status: 'delivered' }, offset: size / 2 }),
  '… status=bounced': () => ({ filter: { status: 'bounced' }, offset: 0 }),
  '… tags=welcome': () => ({ filter: { tags: ['welcome'] }, offset: 0 }),
  '… tags=welcome, offset of a quarter': (size) => ({ filter: { tags: ['welcome'] }, offset: size / 4 }),
  '… status=delivered, tags=welcome': () => ({ filter: { status: 'delivered', tags: ['welcome'] }, offset: 0 }),
  '… status=bounced, tags=welcome': () => ({ filter: { status: 'bounced', tags: ['welcome'] }, offset: 0 }),
  '… until half of the time': (size) => ({ filter: { toDate: START + size * 500 }, offset: 0 }),
  '… from=shop@example.test': () => ({ filter: { sender: 'shop@example.test' }, offset: 0 }),
};

export async function main(): Promise<void> {
  const asked = process.argv.slice(3).map(Number);
  const sizes = asked.length > 0 ? asked : SIZES;
  const directory = mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-'));
  const file = join(directory, 'mail.db');
  const store = openSqliteStore({ file });
  console.log(`Searches and lists of ${LIMIT}; ${describeMachine()}; medians of ${ROUNDS} in ms, in-process.\n`);
  const times = new Map<string, number[]>();
  const notes: string[] = [];
  try {
    let filled = 0;
    for (const size of sizes) {
      const began = performance.now();
      await fill(store, filled, size);
      const seconds = (performance.now() - began) / 1_000;
      await measure(store, size, times);
      const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
      const { rss } = process.memoryUsage();
      notes.push(
        `${size} emails: filled ${size - filled} in ${seconds.toFixed(1)} s; database ${megabytes(statSync(file).size)} MB, memory ${megabytes(rss)} MB`,
      );
      filled = size;
    }
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
  const base = sizes.indexOf(COMPARED);
  const compared = sizes.filter((size) => base !== -1 && size > COMPARED);
  printTable(
    ['ms', ...sizes.map(String), ...compared.map((size) => `${size / COMPARED}x`)],
    [...times].map(([name, all]) => [
      name,
      ...all.map((time) => time.toFixed(2)),
      ...compared.map((size) => ((all[sizes.indexOf(size)] ?? 0) / (all[base] ?? 1)).toFixed(1)),
    ]),
  );
  console.log(`\n${notes.join('\n')}`);
}

async function measure(store: Store, size: number, times: Map<string, number[]>): Promise<void> {
  const now = START + size * 1_000;
  const add = async (name: string, run: () => Promise<unknown>) =>
    times.set(name, [...(times.get(name) ?? []), await timeOf(run)]);
  for (const [name, text] of Object.entries(queries)) {
    const query = parseQuery(text(size));
    await add(name, async () => store.read.emails.search(await compileQuery(query, { now }), { limit: LIMIT }));
  }
  for (const [name, list] of Object.entries(lists)) {
    const { filter, offset } = list(size);
    await add(name, () => store.read.emails.list(filter, { limit: LIMIT, offset }));
  }
  await add('counts by status', () => store.read.emails.countByStatus());
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const spent: number[] = [];
  await run();
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await run();
    spent.push(performance.now() - began);
  }
  return median(spent);
}
