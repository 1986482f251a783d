import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readServerSentEvents, type ServerSentEvent } from '../../../src/client/event-source.js';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { Waits } from '../../../src/core/search/waits/waits.js';
import { ApiKeyTable } from '../../../src/storage/common/tables/api-keys.js';
import { askForSession, type InboxApp, openPage, openSession, startInboxApp } from '../../support/inbox/inbox-app.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

/** Tests what a key has open when it is revoked, at the server that has it open or at another on the same database. */

const STREAMS = [
  '/_svc/events',
  '/_svc/deliveries/stream',
  '/_svc/requests/stream',
  '/_svc/smtp-sessions/stream',
  '/_svc/listen?forward_to=http://127.0.0.1:9/',
];
const REVOKED = 'The API key has been revoked.';
const MESSAGE = 'Subject: Late\r\n\r\nHello\r\n.\r\n';

interface World {
  /** Where clients have something open. */
  near: InboxApp;
  /** Where the key is revoked, and email is sent. */
  far: InboxApp;
  close(): Promise<void>;
}

const team = (options: Parameters<typeof startInboxApp>[0] = {}) =>
  startInboxApp({ access: 'team', allowedWebhookHosts: ['127.0.0.1'], ...options });

async function oneServer(): Promise<World> {
  const app = await team();
  return { near: app, far: app, close: () => app.closeClean() };
}

let postgres: PostgresServer | undefined;

async function twoReplicas(): Promise<World> {
  postgres ??= await startPostgres();
  const storage = { postgres: await postgres.createDatabase() };
  const [near, far] = [await team({ storage }), await team({ storage })];
  return { near, far, close: async () => void (await Promise.all([near.closeClean(), far.closeClean()])) };
}

afterAll(() => postgres?.remove());

describe.each([
  ['one server', oneServer, ''],
  [`two replicas on PostgreSQL${withoutPostgres}`, twoReplicas, withoutPostgres],
])('on %s', (_, start, skipped) => {
  describe.skipIf(skipped)('a revoked key', () => {
    let world: World;
    let key: { id: string; key: string };
    beforeAll(async () => {
      world = await start();
    });
    beforeEach(async () => {
      const { status, json } = await world.far.call('POST', '/_svc/api-keys', { name: 'CI' });
      expect(status).toBe(201);
      key = json.data;
    });
    afterEach(() => vi.restoreAllMocks());
    afterAll(() => world?.close());

    const revoke = async () => {
      expect((await world.far.call('DELETE', `/v1/api-keys/${key.id}`)).status).toBe(204);
    };
    const send = async (subject: string) => {
      const email = { from: 'app@example.test', to: 'ada@example.test', subject, html: '<p>Hello</p>' };
      expect((await world.far.call('POST', '/v1/emails', email)).status).toBe(201);
    };
    const emailsWith = async (subject: string) =>
      (await world.far.read(`/_svc/emails?search=subject:${subject}`)).emails;

    it.each(STREAMS)('ends the stream %s with the reason', async (path) => {
      const { events, ended } = await openStream(world.near.origin + path, { authorization: `Bearer ${key.key}` });
      await revoke();
      await send('Afterwards');
      expect(await ended).toMatchObject({ code: 'authentication_error', message: REVOKED, status: 401 });
      expect(events.filter(({ data }) => data.includes('Afterwards'))).toEqual([]);
    });

    it('ends a wait, also one that an email matches afterwards', async () => {
      const waits = vi.spyOn(Waits.prototype, 'wait');
      const wait = world.near.call(
        'POST',
        '/_svc/emails/wait',
        { query: 'subject:awaited', timeout_ms: 60_000 },
        { authorization: `Bearer ${key.key}` },
      );
      await expect.poll(() => waits.mock.calls.length).toBeGreaterThan(0);
      await revoke();
      await send('awaited');
      const { status, json } = await wait;
      expect([status, json.error.message]).toEqual([401, REVOKED]);
    });

    it('does not answer a wait with an email that was found before the revocation was noticed', async () => {
      const found = vi.spyOn(Waits.prototype, 'wait').mockImplementation(async () => {
        await revoke();
        const { emails } = await world.near.read('/_svc/emails?limit=1');
        return { isDone: true, matches: [{ id: emails[0].id, seq: 1 }], lastSeq: 1 };
      });
      await send('found');
      const { status } = await world.near.call(
        'POST',
        '/_svc/emails/wait',
        { query: 'subject:found', timeout_ms: 60_000 },
        { authorization: `Bearer ${key.key}` },
      );
      expect(found).toHaveBeenCalled();
      expect(status).toBe(401);
    });

    it.each(['before MAIL', 'before DATA', 'during the content'])(
      'stores no message of an SMTP session that logged in with it, revoked %s',
      async (when) => {
        const session = await openSmtp(world.near.smtp);
        await session.reply();
        await session.say('EHLO client.example.test');
        const plain = Buffer.from(`\0any\0${key.key}`).toString('base64');
        expect(await session.say(`AUTH PLAIN ${plain}`)).toMatch(/^235 /);
        if (when === 'before MAIL') await revoke();
        await session.say('MAIL FROM:<app@example.test>');
        expect(await session.say('RCPT TO:<ada@example.test>')).toMatch(/^250 /);
        if (when === 'before DATA') await revoke();
        expect(await session.say('DATA')).toMatch(/^354 /);
        session.write('Subject: Late\r\n');
        if (when === 'during the content') await revoke();
        session.write(MESSAGE);
        expect(await session.reply()).toBe('550 5.7.1 the API key of this login has been revoked; log in with another');
        session.socket.end();
        expect(await emailsWith('Late')).toEqual([]);
      },
    );

    it('stores no email of a request whose body ends afterwards', async () => {
      const call = request(`${world.near.origin}/v1/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      });
      const email = JSON.stringify({ from: 'a@b.test', to: 'ada@example.test', subject: 'Slow', html: '<p>Hello</p>' });
      const authenticated = vi.spyOn(ApiKeyTable.prototype, 'findByHash');
      call.write(email.slice(0, 20));
      await expect.poll(() => authenticated.mock.calls.length).toBeGreaterThan(0);
      await Promise.all(authenticated.mock.results.map(({ value }) => value));
      // Both servers have noticed when their streams have ended.
      const { ended } = await openStream(`${world.near.origin}/_svc/events`, { authorization: `Bearer ${key.key}` });
      await revoke();
      await ended;
      call.end(email.slice(20));
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(401);
      expect(await emailsWith('Slow')).toEqual([]);
    });

    it('ends the streams of inbox sessions that use it', async () => {
      const { cookie = '' } = await openPage(world.near.origin);
      const { data } = await askForSession(world.near.origin, { cookie, proof: { key: key.key } });
      const headers = { cookie, origin: world.near.origin, [INBOX_TOKEN_HEADER]: data?.token ?? '' };
      const { ended } = await openStream(`${world.near.origin}/_svc/events`, headers);
      await revoke();
      expect(await ended).toMatchObject({ message: REVOKED });
    });

    it('ends with its workspace', async () => {
      const created = await world.far.call('POST', '/_svc/workspaces', { name: 'shop' });
      const authorization = `Bearer ${created.json.data.api_key}`;
      const streams = await Promise.all(
        STREAMS.slice(0, 2).map((path) => openStream(world.near.origin + path, { authorization })),
      );
      expect((await world.far.call('DELETE', '/_svc/workspaces/shop')).status).toBe(204);
      for (const { ended } of streams) expect(await ended).toMatchObject({ message: REVOKED });
    });

    it('leaves the streams of other keys open, and costs no read of keys for each', async () => {
      const { json } = await world.far.call('POST', '/_svc/api-keys', { name: 'other' });
      const headers = { authorization: `Bearer ${json.data.key}` };
      const streams = await Promise.all(
        Array.from({ length: 30 }, () => openStream(`${world.near.origin}/_svc/events`, headers)),
      );
      const reads = vi.spyOn(ApiKeyTable.prototype, 'findByHash');
      const lists = vi.spyOn(ApiKeyTable.prototype, 'list');
      await revoke();
      await send('Still open');
      for (const { until } of streams) await until(({ data }) => data.includes('Still open'));
      // Those of the two calls.
      expect(reads.mock.calls.length + lists.mock.calls.length).toBeLessThan(10);
      for (const { close } of streams) close();
    });
  });
});

describe('an inbox session', () => {
  it('ends its streams when it expires', async () => {
    const app = await startInboxApp();
    const timers: { ms: number; run: () => void }[] = [];
    const after = app.clock.after.bind(app.clock);
    vi.spyOn(app.clock, 'after').mockImplementation((ms, run) => {
      timers.push({ ms, run });
      return after(ms, run);
    });
    const { ended } = await openStream(`${app.origin}/_svc/events`, await openSession(app.origin));
    const day = timers.filter(({ ms }) => ms > 23 * 3_600_000 && ms <= 24 * 3_600_000);
    expect(day).toHaveLength(1);
    day[0]?.run();
    expect(await ended).toMatchObject({ message: 'The inbox session has expired.' });
    await app.closeClean();
  });

  it.skipIf(withoutPostgres)(
    `ends when the servers get another password, with its codes and resumptions${withoutPostgres}`,
    async () => {
      postgres ??= await startPostgres();
      const storage = { postgres: await postgres.createDatabase() };
      const [before, after] = [
        await team({ storage, inboxPassword: 'first' }),
        await team({ storage, inboxPassword: 'second' }),
      ];
      const name = `svc_inbox_${new URL(after.origin).port}`;
      const cookie = [before, after]
        .map(({ origin }) => `svc_inbox_${new URL(origin).port}=${'a'.repeat(43)}`)
        .join('; ');
      expect(name).toMatch(/\d$/);
      const open = (app: InboxApp, proof: object) => askForSession(app.origin, { cookie, proof });
      const first = await open(before, { password: 'first' });
      const headers = { cookie, [INBOX_TOKEN_HEADER]: first.data?.token ?? '' };
      const statusAt = async ({ origin }: InboxApp) => (await fetch(`${origin}/v1/emails`, { headers })).status;
      expect([await statusAt(before), await statusAt(after)]).toEqual([200, 401]);

      const issued = await fetch(`${before.origin}/_svc/inbox/codes`, {
        method: 'POST',
        headers: { ...headers, origin: before.origin },
      });
      const { code } = ((await issued.json()) as { data: { code: string } }).data;
      expect((await open(after, { code })).status).toBe(401);
      expect((await open(after, { resume: first.data?.resume })).status).toBe(401);
      expect((await open(after, { password: 'second' })).status).toBe(201);
      await Promise.all([before.closeClean(), after.closeClean()]);
    },
  );
});

it('ends the streams of keys that an import does not have', async () => {
  const app = await startInboxApp();
  const state = await app.http.inject({ method: 'GET', url: '/_svc/export', headers: ownHeaders(app) });
  const { json } = await app.call('POST', '/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 });
  const [gone, kept] = await Promise.all([
    openStream(`${app.origin}/_svc/events`, { authorization: `Bearer ${json.data.key}` }),
    openStream(`${app.origin}/_svc/events`, ownHeaders(app)),
  ]);
  const imported = await app.http.inject({
    ...{ method: 'POST', url: '/_svc/import', payload: state.rawPayload },
    headers: { ...ownHeaders(app), 'content-type': 'application/gzip' },
  });
  expect(imported.statusCode).toBe(200);
  expect((await gone.ended).message).toContain('does not exist in the state that was imported');
  const email = { from: 'app@example.test', to: 'ada@example.test', subject: 'Kept', html: '<p>Hello</p>' };
  await app.call('POST', '/v1/emails', email);
  await kept.until(({ data }) => data.includes('Kept'));
  kept.close();
  await app.closeClean();
});

function ownHeaders({ origin }: InboxApp): Record<string, string> {
  return { host: new URL(origin).host, authorization: 'Bearer svc_test_scenarios' };
}

/** Opens a stream and waits for its beginning. */
async function openStream(url: string, headers: Record<string, string>) {
  const stop = new AbortController();
  const { host: _, ...sent } = headers;
  const response = await fetch(url, { headers: sent, signal: stop.signal });
  expect(response.status).toBe(200);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  async function* chunks() {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      begin();
      yield chunk;
    }
  }
  const events: ServerSentEvent[] = [];
  let notify = () => {};
  const ended = (async (): Promise<Error & { code: string }> => {
    try {
      for await (const event of readServerSentEvents(chunks())) {
        events.push(event);
        notify();
      }
      return Object.assign(new Error('the stream ended without a reason'), { code: '' });
    } catch (error) {
      return error as Error & { code: string };
    }
  })();
  const until = (matches: (event: ServerSentEvent) => boolean) =>
    new Promise<void>((resolve) => {
      notify = () => events.some(matches) && resolve();
      notify();
    });
  await begun;
  return { events, ended, until, close: () => stop.abort() };
}
