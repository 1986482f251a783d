import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseQuery } from '../../../src/contract/vocabulary/query/parse-query.js';
import { compileQuery } from '../../../src/core/search/compile-query.js';
import { SearchTimeoutError } from '../../../src/core/store.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { extracts } from '../conformance/search.js';
import { insertEmail, NOON } from '../records.js';

let server: PostgresServer;
let store: Awaited<ReturnType<typeof openPostgresStore>>;
let other: Client;
beforeAll(async () => {
  if (!withoutPostgres) server = await startPostgres();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  if (withoutPostgres) return;
  const url = await server.createDatabase();
  store = await openPostgresStore(url, { process: 'test', searchTimes: { statementMs: 500, waitMs: 10_000 } });
  await store.write((tx) => insertEmail(tx, 'msg_1', { subject: 'Order zq', text: 'x' }, extracts));
  other = new Client(url);
  await other.connect();
});
afterEach(async () => {
  await other?.end();
  await store?.close();
});

async function search(text: string, before?: number) {
  const compiled = await compileQuery(parseQuery(text), { now: NOON });
  return store.read.emails.search(compiled, { limit: 10, before });
}

/** Adds copies of the first email with another subject, numbered to `last`. */
async function addOthers(last: number): Promise<void> {
  for (const [table, own] of [
    ['emails', { seq: 'n', id: "'msg_' || n", subject: "'Invoice'" }],
    ['search', { seq: 'n', subject: "'invoice'", address: "''", content: "''" }],
  ] as const) {
    const { rows } = await other.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}'`,
    );
    const names = rows.map(({ column_name }) => String(column_name));
    const values = names.map((name) => (own as Record<string, string>)[name] ?? name);
    await other.query(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table}, generate_series(2, ${last}) AS n WHERE seq = 1`,
    );
  }
  // A search skips blocks of numbers without emails.
  await other.query(
    `INSERT INTO email_counts (field, value, block, count)
     SELECT field, value, n >> 10, count(*) FROM generate_series(1024, ${last}) AS n, email_counts WHERE block = 0
     GROUP BY field, value, n >> 10`,
  );
  await other.query(`UPDATE ledger SET emails = ${last}`);
}

it.skipIf(withoutPostgres)(`delay no other read, and end with an error${withoutPostgres}`, async () => {
  await other.query('BEGIN');
  await other.query('LOCK TABLE search');
  const searches = Array.from({ length: 6 }, () => search('zq').catch((error: unknown) => error));
  await expect.poll(() => store.connections().searches).toEqual({ busy: 2, idle: 0, waiting: 4 });

  await store.ping();
  expect(await store.read.emails.find('msg_1')).toMatchObject({ subject: 'Order zq' });
  expect(store.connections().reads.waiting).toBe(0);

  for (const error of await Promise.all(searches)) {
    expect(error).toBeInstanceOf(SearchTimeoutError);
    expect(error).toMatchObject({
      message: 'The search took longer than 0.5 s in the database',
      advice:
        'Narrow the search: add a date such as "after:1d", a whole address, or a text of three characters or more.',
    });
  }
  await other.query('COMMIT');
  expect((await search('zq')).total).toBe(1);
});

it.skipIf(withoutPostgres)(`continue with a cursor for texts of two characters${withoutPostgres}`, async () => {
  const last = 40_000;
  await addOthers(last);
  const first = await search('zq');
  expect(first).toMatchObject({ emails: [], total: 0, isTotalExact: false });
  expect(first.next).toBeLessThan(last - 30_000);
  const rest = await search('zq', first.next ?? 0);
  expect(rest.emails.map(({ id }) => id)).toEqual(['msg_1']);
  expect(rest.next).toBeNull();

  // Another condition leaves fewer texts to read.
  await other.query(`UPDATE emails SET status = 'bounced' WHERE seq % 2 = 1`);
  expect(await search('zq status:bounced')).toMatchObject({ total: 1, isTotalExact: true, next: null });
  // A common text is found among the newest emails.
  expect((await search('vo')).emails.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, n) => last - n));
});
