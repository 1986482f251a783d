import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type InboxApp, startInboxApp } from '../../support/inbox/inbox-app.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { TEST_KEY } from '../../support/servers/app.js';
import { sendBySmtp } from '../load.js';
import { subscribe } from './subscriber.js';

const ROLE = 'app';
const SECRET = 's3cret';

describe.skipIf(withoutPostgres)(`a server whose database${withoutPostgres}`, () => {
  let postgres: PostgresServer;
  let name: string;
  let app: InboxApp;
  let smtp: { host: string; port: number };
  const accepted: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    await postgres.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${SECRET}'`);
  });
  afterAll(() => postgres?.remove());
  beforeEach(async () => {
    const url = await postgres.createDatabase();
    name = new URL(url).pathname.slice(1);
    await postgres.query(`ALTER DATABASE ${name} OWNER TO ${ROLE}`);
    await postgres.query(`ALTER SCHEMA public OWNER TO ${ROLE}`, name);
    app = await startInboxApp({
      storage: { postgres: postgres.url(name, { user: ROLE, password: SECRET }) },
      access: 'team',
      plan: 'none',
      apiKey: TEST_KEY,
    });
    smtp = (await app.read('/_svc/info')).smtp;
    accepted.length = 0;
  });
  afterEach(() => app?.close());

  async function overRest(subject: string) {
    const body = { from: 'shop@example.test', to: ['ada@example.test'], subject, html: '<p>Hi.</p>' };
    const answer = await app.call('POST', '/v1/emails', body);
    if (answer.status === 201) accepted.push(subject);
    return answer;
  }

  /** Sends a message. Returns the code of the reply to it; undefined if the connection ended before. */
  async function overSmtp(subject: string): Promise<number | undefined> {
    const mails = [{ subject, recipients: ['ada@example.test'] }];
    let code: number | undefined;
    await sendBySmtp(
      { smtp, api_key: TEST_KEY, base_url: app.origin },
      {
        next: () => mails.pop(),
        acknowledged: () => {
          code = 250;
          accepted.push(subject);
        },
        refused: (_, refusal) => {
          code = refusal;
        },
      },
      { logIn: true },
    );
    return code;
  }

  async function expectAllAccepted(): Promise<void> {
    await vi.waitFor(
      async () => {
        const pages = [await app.read('/v1/emails?limit=100'), await app.read('/v1/emails?limit=100&offset=100')];
        const subjects = pages.flatMap(({ emails }) => emails.map(({ subject }: { subject: string }) => subject));
        expect(subjects.toSorted()).toEqual(accepted.toSorted());
      },
      { timeout: 30_000, interval: 100 },
    );
  }

  const untilAccepted = () =>
    vi.waitFor(
      async () => {
        expect((await overRest(`after ${accepted.length}`)).status).toBe(201);
        expect(await overSmtp(`after ${accepted.length}`)).toBe(250);
      },
      { timeout: 60_000, interval: 200 },
    );

  /** Expects a refusal that a client repeats, without the password. */
  function expectUnavailable({ status, headers, json }: Awaited<ReturnType<typeof overRest>>): string {
    expect([status, Number(headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.stringify(json)).not.toContain(SECRET);
    return json.error.message;
  }

  it('crashes and starts again keeps every acknowledged message and event, and needs no restart', async () => {
    const ended = new AbortController();
    const subscriber = subscribe(async () => ({ base_url: app.origin, api_key: TEST_KEY }), ended.signal);
    await untilAccepted();
    await postgres.kill();
    expectUnavailable(await overRest('lost'));
    expectUnavailable(await app.call('GET', '/v1/emails'));
    expect(await app.http.inject({ url: '/readyz', headers: { host: 'localhost' } })).toMatchObject({
      statusCode: 503,
    });
    expect(await app.http.inject({ url: '/healthz', headers: { host: 'localhost' } })).toMatchObject({
      statusCode: 200,
    });
    await postgres.start();
    await untilAccepted();
    await expectAllAccepted();

    const rows = await postgres.query('SELECT seq, id FROM events ORDER BY seq', name);
    await subscriber.until(Number(rows.at(-1)?.seq));
    ended.abort();
    expect((await subscriber.heard).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('ends all connections loses nothing', async () => {
    await untilAccepted();
    for (let round = 0; round < 5; round += 1) {
      const sending = Promise.all(Array.from({ length: 20 }, (_, n) => overRest(`round ${round} ${n}`)));
      await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`);
      for (const answer of await sending) if (answer.status !== 201) expectUnavailable(answer);
    }
    await untilAccepted();
    await expectAllAccepted();
  });

  it('has no more connections gives the reason, and continues when there are some', async () => {
    await untilAccepted();
    await postgres.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT 0`);
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`);
    await vi.waitFor(async () =>
      expect(expectUnavailable(await overRest('refused'))).toContain('too many connections'),
    );
    await postgres.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
    await untilAccepted();
    await expectAllAccepted();
  });

  it('has a full disk refuses mail, answers reads, and continues when there is room', async () => {
    await untilAccepted();
    const full = `BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END`;
    await postgres.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ ${full} $$`, name);
    for (const table of ['emails', 'received']) {
      await postgres.query(`CREATE TRIGGER full_disk BEFORE INSERT ON ${table} EXECUTE FUNCTION full_disk()`, name);
    }
    const refused = await overRest('refused');
    expect(expectUnavailable(refused)).toContain('the disk is full');
    expect(refused.json.error.hint).toContain('Free disk space on the machine of PostgreSQL.');
    expect(await overSmtp('refused')).toBe(451);
    await expectAllAccepted();
    await postgres.query('DROP FUNCTION full_disk CASCADE', name);
    await untilAccepted();
    await expectAllAccepted();
  });

  it('lets each email wait stores all of them, and answers reads meanwhile', async () => {
    await untilAccepted();
    const holder = new Client(postgres.url(name));
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(4242)');
    const slow = 'BEGIN PERFORM pg_advisory_xact_lock_shared(4242); RETURN NEW; END';
    await postgres.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ ${slow} $$`, name);
    await postgres.query('CREATE TRIGGER slow BEFORE INSERT ON emails FOR EACH ROW EXECUTE FUNCTION slow()', name);
    let isDone = false;
    const sending = Promise.all(Array.from({ length: 5 }, (_, n) => overRest(`slow ${n}`))).finally(() => {
      isDone = true;
    });
    const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4242 AND NOT granted";
    await expect.poll(async () => (await postgres.query(waiting)).length).toBeGreaterThan(0);
    expect((await app.call('GET', '/v1/emails')).status).toBe(200);
    expect(isDone).toBe(false);
    await holder.end();
    for (const { status } of await sending) expect(status).toBe(201);
    await postgres.query('DROP FUNCTION slow CASCADE', name);
    await untilAccepted();
    await expectAllAccepted();
  });
});
