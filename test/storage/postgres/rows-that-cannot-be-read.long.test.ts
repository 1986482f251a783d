import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { fill, statusesOf } from '../../support/storage/damage.js';
import { oneOfEachTable } from '../../support/storage/damaged-rows.js';

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'now', html: 'x' };

/** The clock is a text, which the same function reads on both engines. */
const edits = oneOfEachTable.filter(([name]) => !name.startsWith('the stored clock'));
/** Those that PostgreSQL itself refuses. */
const REFUSED = ['jobs.payload is not JSON', 'jobs.payload of a later job is not JSON'];

describe.skipIf(withoutPostgres)(`a row that cannot be read, in PostgreSQL${withoutPostgres}`, () => {
  let server: PostgresServer;
  let receiver: Receiver;
  let filled: string;
  let app: TestApp;

  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const start = async (postgres: string) => {
    app = await startApp({ storage: { postgres }, plan: 'none' });
    await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  };
  beforeAll(async () => {
    server = await startPostgres({ checksPasswords: false });
    receiver = await startReceiver();
    const url = await server.createDatabase();
    filled = nameOf(url);
    await start(url);
    await fill(app, receiver.url);
    await app.close();
  });
  afterEach(() => app.close());
  afterAll(async () => {
    await receiver?.close();
    await server?.remove();
  });

  // test/scenarios/state/damaged-rows.long.test.ts has every edit: the same sources read the rows of both engines.
  it.each(edits)('is left out, and everything else works: %s', async (name, sql, tables) => {
    const url = await server.createDatabase(filled);
    await start(url);
    const edited = server.query(sql.replaceAll("x'00'", "'\\x00'"), nameOf(url));
    if (REFUSED.includes(name)) {
      await expect(edited).rejects.toThrow('invalid input syntax for type json');
      return;
    }
    await edited;

    const { status, json } = await app.call('POST', '/v1/emails', EMAIL);
    expect({ status, json }).toMatchObject({ status: 201 });
    await app.drain();
    for (const [path, answered] of Object.entries(await statusesOf(app))) {
      expect([200, ...(/(msg|dlv)_/.test(path) ? [404] : [])], path).toContain(answered);
    }
    expect((await app.read(`/v1/emails/${json.data.id}`)).status).toBe('delivered');
    const reported = app.faults.filter((fault) => /^A damaged row of \w+ \(.*\) is left out: /.test(String(fault)));
    // A row is reported once when it is read, and once when its work is due.
    expect(reported.length).toBeLessThanOrEqual(2 * new Set(reported).size);
    expect(reported.length).toBeGreaterThanOrEqual(tables.length === 0 ? 0 : 1);

    await app.close();
    await start(url);
    expect((await app.call('GET', '/v1/emails')).status).toBe(200);
  });
});
