import { createTransport } from 'nodemailer';
import { afterEach, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** The rate limit and the monthly quota of each workspace. The free plan has 60 requests a minute and 1,000 emails. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const NOON = Date.parse('2028-02-10T12:00:00.000Z');

let app: TestApp;

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  app = await startApp({ access: 'team', plan: 'free', ...options });
  app.clock.freeze();
  app.clock.set(NOON);
}
afterEach(() => app.closeClean());

const call = (key: string, method: string, path: string, body?: unknown) =>
  app.call(method, path, body, { authorization: `Bearer ${key}` });

async function create(name: string, options: object = {}): Promise<string> {
  const { status, json } = await call(TEST_KEY, 'POST', '/_svc/workspaces', { name, ...options });
  expect([status, json?.error]).toEqual([201, undefined]);
  return json.data.api_key;
}

const update = (name: string, limits: object) => call(TEST_KEY, 'PATCH', `/_svc/workspaces/${name}`, limits);

function send(key: string, recipients = 1, more: object = {}) {
  const to = Array.from({ length: recipients }, (_, at) => `r${at}@example.test`);
  return call(key, 'POST', '/v1/emails', { to, from: 'app@example.test', subject: 'Hi', html: '<p>Hi</p>', ...more });
}

const statuses = async (...keys: string[]) => {
  const answers = [];
  for (const key of keys) answers.push((await send(key)).status);
  return answers;
};

it('gives each workspace the quota of the plan, and one to emails of none', async () => {
  await start();
  const [shop, news] = [await create('shop'), await create('news')];
  expect((await send(shop, 1_000)).status).toBe(201);

  const refused = await send(shop);

  expect(refused.status).toBe(429);
  expect(refused.json.error.message).toBe(
    "The free plan's monthly quota of 1000 emails is used up; it resets at 2028-03-01T00:00:00.000Z.",
  );
  expect((await send(news, 1_000)).status).toBe(201);
  expect((await send(TEST_KEY, 1_000)).status).toBe(201);
  expect(await statuses(shop, news, TEST_KEY)).toEqual([429, 429, 429]);
  app.clock.set(Date.parse('2028-03-01T00:00:00.000Z'));
  expect(await statuses(shop, news, TEST_KEY)).toEqual([201, 201, 201]);
});

it('gives each workspace the rate limit of the plan, and one to all keys of none', async () => {
  await start();
  const [shop, news] = [await create('shop'), await create('news')];
  const own = await call(shop, 'POST', '/v1/api-keys', { name: 'own', environment: 'test', rate_limit: 100 });
  const read = (key: string) => call(key, 'GET', '/v1/templates');
  for (let calls = 1; calls < 60; calls += 1) expect((await read(shop)).status).toBe(200);

  expect([(await read(shop)).status, (await read(own.json.data.key)).status]).toEqual([429, 429]);

  for (const key of [news, TEST_KEY]) {
    const { status, headers } = await read(key);
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '59']);
  }
});

it('limits a workspace to its own quota, on a server without one, until an administrator changes it', async () => {
  await start({ plan: 'none' });
  const [shop, news] = [await create('shop', { monthly_quota: 3 }), await create('news')];
  expect((await send(shop, 2)).status).toBe(201);

  const refused = await send(shop, 2);

  expect(refused.json.error.message).toContain(
    'The monthly quota of 3 emails of workspace shop has 1 left, fewer than the 2 recipients;',
  );
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '1' });
  expect(await statuses(shop, shop, news, TEST_KEY)).toEqual([201, 429, 201, 201]);
  const { json } = await update('shop', { monthly_quota: 4 });
  expect(json.data).toMatchObject({ name: 'shop', monthly_quota: 4, sent_this_month: 3, keep: null });
  expect(await statuses(shop, shop)).toEqual([201, 429]);
  expect((await update('shop', { monthly_quota: null })).json.data.monthly_quota).toBeNull();
  expect(await statuses(shop)).toEqual([201]);
  const { workspaces } = (await call(TEST_KEY, 'GET', '/_svc/workspaces')).json.data;
  expect(workspaces).toMatchObject([
    { name: 'shop', monthly_quota: null, sent_this_month: 5 },
    { name: 'news', sent_this_month: 1 },
  ]);
});

it('is not exceeded by concurrent sends', async () => {
  await start({ plan: 'none' });
  const [shop, news] = [await create('shop', { monthly_quota: 5 }), await create('news', { monthly_quota: 5 })];

  const answers = await Promise.all([...Array(20).fill(shop), ...Array(5).fill(news)].map((key) => send(key)));

  const accepted = answers.map(({ status }) => status === 201);
  expect(accepted.slice(0, 20).filter(Boolean)).toHaveLength(5);
  expect(accepted.slice(20).filter(Boolean)).toHaveLength(5);
});

it('counts emails over SMTP in the workspace of the login', async () => {
  await start({ strict: true, plan: 'none', domains: ['example.test'] });
  const [shop, news] = [await create('shop', { monthly_quota: 1 }), await create('news', { monthly_quota: 1 })];
  const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  const message = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hi' };
  const deliver = (pass: string) =>
    createTransport({ ...smtp, ignoreTLS: true, name: 'app.example.test', auth: { user: 'app', pass } }).sendMail(
      message,
    );
  await deliver(shop);

  await expect(deliver(shop)).rejects.toThrow(
    '452 4.7.1 monthly_quota; The monthly quota of 1 emails of workspace shop',
  );

  await deliver(news);
  expect((await send(news)).status).toBe(429);
});

it('is not refilled by the key of the workspace, but ends with the workspace', async () => {
  await start({ plan: 'none' });
  const key = await create('shop', { monthly_quota: 1 });
  expect((await send(key)).status).toBe(201);
  expect((await call(key, 'POST', '/_svc/reset')).status).toBeLessThan(300);
  expect((await send(key)).status).toBe(429);
  expect((await call(key, 'PATCH', '/_svc/workspaces/shop', { monthly_quota: 9 })).status).toBe(403);

  await call(TEST_KEY, 'DELETE', '/_svc/workspaces/shop');

  expect(await statuses(await create('shop', { monthly_quota: 1 }))).toEqual([201]);
});

it('is not set by a key that only creates workspaces', async () => {
  await start({ plan: 'none' });
  const body = { name: 'CI', creates_workspaces: true };
  const { key } = (await call(TEST_KEY, 'POST', '/_svc/api-keys', body)).json.data;

  const { status, json } = await call(key, 'POST', '/_svc/workspaces', { ttl: '1h', monthly_quota: 1_000_000 });

  expect([status, json.error.message]).toEqual([422, expect.stringContaining('monthly_quota: needs an admin key')]);
});

it('answers 404 for an unknown workspace', async () => {
  await start();
  expect((await update('none', { monthly_quota: 1 })).status).toBe(404);
});
