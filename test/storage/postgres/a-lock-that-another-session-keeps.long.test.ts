import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../../../src/core/store.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

let server: PostgresServer;
let holder: Client;
let store: Awaited<ReturnType<typeof openPostgresStore>> | undefined;
let url: string;
beforeAll(async () => {
  if (!withoutPostgres) server = await startPostgres();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  if (withoutPostgres) return;
  url = await server.createDatabase();
  await (await openPostgresStore(url, { process: 'first' })).close();
  holder = new Client(url);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT * FROM ledger FOR UPDATE');
});
afterEach(async () => {
  await holder?.end();
  await store?.close();
});

it.skipIf(withoutPostgres)(`fails the writes that wait for it, and is reported${withoutPostgres}`, async () => {
  const notices: string[] = [];
  const reported = new Promise<void>((resolve) => {
    const onNotice = (text: string) => {
      notices.push(text);
      resolve();
    };
    const opening = openPostgresStore(url, { process: 'test', onNotice, lockTimes: { reportMs: 20, failMs: 2_000 } });
    void opening.then((opened) => {
      store = opened;
      void Promise.allSettled([write('first')]);
    });
  });
  const failures: unknown[] = [];
  const write = (name: string) =>
    store?.write((tx) => tx.settings.set(name, 'x')).catch((error: unknown) => failures.push(error));
  await reported;
  expect(notices).toEqual([
    'A commit has waited 0.02 s for a lock of another session. Pending writes: 1. They fail after 2 s. Check pg_locks ' +
      'and pg_stat_activity for the session.',
  ]);

  // A write that comes later fails together with the first.
  const later = write('later');
  expect(store?.pendingWrites()).toBe(2);
  await later;
  expect(failures).toHaveLength(2);
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    expect((failure as Error).message).toBe('Cannot use the database: another process has locked it');
  }

  await holder.query('COMMIT');
  await store?.write((tx) => tx.settings.set('last', 'x'));
  expect(await store?.read.settings.get('last', String)).toBe('x');
  expect(store?.pendingWrites()).toBe(0);
  expect(notices).toHaveLength(1);
});
