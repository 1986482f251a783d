import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

describe.skipIf(withoutPostgres)(`metrics without a database${withoutPostgres}`, () => {
  let server: PostgresServer;
  let app: TestApp;
  let url: string;
  let ordinary: string;
  let other: string;
  let notices: string[];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    notices = [];
    const onNotice = (text: string) => notices.push(text);
    app = await startApp({ storage: { postgres: url }, access: 'team', plan: 'none', onNotice });
    const create = async () => {
      const body = { name: 'ci', environment: 'test', rate_limit: 60 };
      return (await app.call('POST', '/v1/api-keys', body)).json.data.key;
    };
    ordinary = await create();
    other = await create();
    expect((await metrics(ordinary)).statusCode).toBe(200);
  });
  afterEach(() => app.close());

  const metrics = async (key: string) =>
    app.http.inject({ url: '/metrics', headers: { host: 'localhost', authorization: `Bearer ${key}` } });

  async function expectOwnFigures(key: string): Promise<void> {
    const { statusCode, body } = await metrics(key);
    expect(statusCode).toBe(200);
    expect(body.split('\n')).toContain('svc_database_up 0');
    expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(body).toMatch(/^svc_connections\{/m);
    expect(body).not.toContain('svc_jobs_queued');
  }

  it('have the figures of the process if it has ended, for keys that are known', async () => {
    await server.kill();
    await expectOwnFigures(TEST_KEY);
    await expectOwnFigures(ordinary);
    expect((await metrics(other)).statusCode).toBe(503);
    expect((await metrics('svc_test_guessed')).statusCode).toBe(503);
    await server.start();
    await vi.waitFor(async () => expect((await metrics(other)).body).toContain('svc_database_up 1'), 60_000);
    expect((await metrics('svc_test_guessed')).statusCode).toBe(401);
  });

  it('come with a line in the log that the connection was lost, and one that it is back', async () => {
    await server.kill();
    const lost = 'The connection to the database was lost: connection refused. svc tries to connect again.';
    await vi.waitFor(() => expect(notices).toEqual([lost]), 60_000);
    await server.start();
    await vi.waitFor(() => expect(notices).toEqual([lost, 'The connection to the database is back.']), 60_000);
  });

  it('have the figures of the process if it does not answer', async () => {
    const locked = new Client(url);
    await locked.connect();
    await locked.query('BEGIN');
    await locked.query('LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE');
    await expectOwnFigures(ordinary);
    await locked.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    await expectOwnFigures(TEST_KEY);
    expect((await metrics(other)).statusCode).toBe(503);
    await locked.end();
  });
});
