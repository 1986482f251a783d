import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { plans } from '../../../src/contract/vocabulary/limits.js';
import { askForSession, type InboxApp, openPage, startInboxApp } from '../../support/inbox/inbox-app.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { TEST_KEY } from '../../support/servers/app.js';
import { startReceiver } from '../../support/servers/receiver.js';

const PASSWORD = 'correct horse battery';
const LIMIT = plans.free.requestsPerMinute;
const EMAIL = { from: 'shop@example.test', to: ['ada@example.test'], subject: 'Hello', html: '<p>Hi.</p>' };
const authorization = `Bearer ${TEST_KEY}`;

describe.skipIf(withoutPostgres)(`servers on one database${withoutPostgres}`, () => {
  let postgres: PostgresServer;
  let url: string;
  let one: InboxApp;
  let other: InboxApp;

  const start = () =>
    startInboxApp({
      storage: { postgres: url },
      access: 'team',
      allowedWebhookHosts: ['127.0.0.1'],
      inboxPassword: PASSWORD,
      plan: 'free',
      apiKey: TEST_KEY,
    });
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    [one, other] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([one?.closeClean(), other?.closeClean()]);
    await postgres?.remove();
  });

  /** Reads until it returns a value, because changes of one server reach the other a moment later. */
  const until = <T>(read: () => Promise<T>, expected: unknown) =>
    vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 30_000, interval: 10 });

  it('have one clock', async () => {
    const clockOf = async (app: InboxApp) => (await app.read('/_svc/clock')) as { now: string; frozen: boolean };
    await one.call('PATCH', '/_svc/clock', { now: '2031-05-01T12:00:00.000Z', frozen: true });
    await until(async () => (await clockOf(other)).now, '2031-05-01T12:00:00.000Z');
    expect((await clockOf(other)).frozen).toBe(true);
    await other.call('POST', '/_svc/clock/advance', { by: '1h' });
    await until(async () => (await clockOf(one)).now, '2031-05-01T13:00:00.000Z');
    await one.call('PATCH', '/_svc/clock', { offset_ms: 0 });
    await until(async () => (await clockOf(other)).frozen, false);
    expect(Math.abs(other.clock.now() - Date.now())).toBeLessThan(5_000);
  });

  it('accept a key that the other has created, until either revokes it', async () => {
    const { id, key } = (await one.call('POST', '/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 }))
      .json.data;
    const use = () => other.call('GET', '/v1/templates', undefined, { authorization: `Bearer ${key}` });
    expect((await use()).status).toBe(200);
    expect((await one.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    expect((await use()).status).toBe(401);
  });

  it('inject a fault as often as it says, together', async () => {
    await one.call('POST', '/_svc/faults', { http: 'GET /v1/domains', code: 503, times: 3 });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await (n % 2 === 0 ? one : other).call('GET', '/v1/domains')).status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(3);
    expect((await one.read('/_svc/faults')).faults[0]).toMatchObject({ hits: 3, times_left: 0 });
    await one.call('DELETE', '/_svc/faults');
  });

  it('return an email of one to a wait at the other', async () => {
    const waiting = other.call('POST', '/_svc/emails/wait', { query: 'subject:"awaited"', timeout_ms: 20_000 });
    await one.call('POST', '/v1/emails', { ...EMAIL, subject: 'awaited' });
    expect((await waiting).json.data.emails).toHaveLength(1);
  });

  it('use one set of sessions, codes and signed URLs', async () => {
    const { code } = (await one.call('POST', '/_svc/inbox/codes')).json.data;
    const { cookie } = await openPage(other.origin);
    // Behind a load balancer, both have the same port, which is in the name of the cookie.
    const cookieAtOne = cookie?.replace(/_\d+=/, `_${new URL(one.origin).port}=`);
    const opened = await askForSession(other.origin, { cookie, proof: { code } });
    expect(opened.status).toBe(201);
    // A code is used up for both.
    expect((await askForSession(one.origin, { cookie: cookieAtOne, proof: { code } })).status).toBe(401);
    const headers = { cookie: cookieAtOne!, [INBOX_TOKEN_HEADER]: opened.data!.token };
    expect((await fetch(`${one.origin}/_svc/clock`, { headers })).status).toBe(200);
    const resumed = await askForSession(one.origin, { cookie: cookieAtOne, proof: { resume: opened.data!.resume } });
    expect(resumed.status).toBe(201);
  });

  it('sign URLs for each other', async () => {
    const { id } = (await one.call('POST', '/v1/emails', EMAIL)).json.data;
    const { raw } = await one.read(`/_svc/inbox/emails/${id}/urls`);
    const response = await fetch(other.origin + raw);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Subject: Hello')]);
    expect((await fetch(other.origin + raw.replace(/.$/, raw.endsWith('A') ? 'Q' : 'A'))).status).toBe(403);
  });

  it('limit the rate of calls together', async () => {
    await one.call('POST', '/_svc/clock/advance', { by: '2m' });
    const before = one.clock.now();
    await vi.waitFor(() => expect(other.clock.now()).toBeGreaterThanOrEqual(before - 1_000), { timeout: 30_000 });
    const call = async (app: InboxApp) => {
      const { status, headers } = await app.call('GET', '/v1/templates');
      return { status, left: Number(headers['x-ratelimit-remaining']) };
    };
    let accepted = 0;
    for (; accepted < LIMIT / 2; accepted += 1) expect((await call(one)).status).toBe(200);
    // The first call of the other opens its window, and a later one counts those of the first.
    await vi.waitFor(
      async () => {
        accepted += 1;
        expect((await call(other)).left).toBeLessThan(LIMIT / 2);
      },
      { timeout: 30_000, interval: 110 },
    );
    while ((await call(other)).status === 200) accepted += 1;
    expect(accepted).toBeLessThanOrEqual(LIMIT);
    expect(accepted).toBeGreaterThan(LIMIT - 5);
    await vi.waitFor(async () => expect((await call(one)).status).toBe(429), { timeout: 30_000, interval: 110 });
    await one.call('PATCH', '/_svc/clock', { offset_ms: 0 });
  });

  it('stream requests and webhook attempts of each other, and keep temporary webhooks when a server starts', async () => {
    const receiver = await startReceiver();
    const end = new AbortController();
    const streamOf = async (path: string) => {
      const response = await fetch(`${one.origin}/_svc${path}`, { headers: { authorization }, signal: end.signal });
      expect(response.status).toBe(200);
      return textsOf(response);
    };
    const attempts = await streamOf(`/listen?forward_to=${encodeURIComponent(receiver.url)}&events=email.sent`);
    const requests = await streamOf('/requests/stream');
    await attempts.until('event: ready');
    const third = await start();

    await third.call('POST', '/v1/emails', { ...EMAIL, subject: 'from the third' });
    await attempts.until('from the third');
    await requests.until('POST');
    end.abort();
    await third.closeClean();
    await receiver.close();
  });
});

/** Reads a stream as it arrives. */
function textsOf(response: Response) {
  let text = '';
  let arrived = () => {};
  void (async () => {
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString();
      arrived();
    }
  })().catch(() => {});
  return {
    async until(part: string) {
      while (!text.includes(part)) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
  };
}
