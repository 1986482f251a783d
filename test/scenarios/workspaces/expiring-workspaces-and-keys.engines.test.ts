import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceClock } from '../../../src/clock/clock.js';
import { createIds } from '../../../src/clock/ids.js';
import { ExpirySweep } from '../../../src/core/workspaces/ending.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf } from '../../storage/records.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Workspaces that CI creates for itself, and keys that expire. Both expire on the machine's clock. */

const HOUR_MS = 3_600_000;
const ANY_PORT = { host: '127.0.0.1', port: 0 };

let app: TestApp;

beforeEach(async () => {
  // Only the time: timers and queues of the server run as usual.
  vi.useFakeTimers({ toFake: ['Date'] });
  // PostgreSQL's time does not move with it.
  vi.spyOn(ServiceClock.prototype, 'correct').mockReturnValue();
  app = await startApp({ access: 'team', plan: 'none' });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await app.close();
});

const call = (key: string, method: string, path: string, body?: unknown) =>
  app.call(method, path, body, { authorization: `Bearer ${key}` });

/** Moves the machine's time by a minute more: the server's continues between two moves, by a clock that only passes. */
const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds + 60_000);

async function issue(options: object): Promise<{ id: string; key: string; expires_at: string | null }> {
  const { status, json } = await call(TEST_KEY, 'POST', '/_svc/api-keys', { name: 'CI', ...options });
  expect([status, json?.error]).toEqual([201, undefined]);
  return json.data;
}

async function send(key: string): Promise<void> {
  const email = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  expect((await call(key, 'POST', '/v1/emails', email)).status).toBe(201);
}

const listed = async (name: string) => (await call(TEST_KEY, 'GET', `/_svc/${name}`)).json.data;

it('deletes a workspace of CI with its keys and emails when it expires', async () => {
  const { key } = await issue({ creates_workspaces: true, owner: 'Platform team' });
  const { status, json } = await call(key, 'POST', '/_svc/workspaces', { ttl: '2h' });
  expect(status).toBe(201);
  const { name, api_key, expires_at } = json.data;
  expect(name).toMatch(/^ws-[a-z0-9]{10}$/);
  expect(Date.parse(expires_at) - Date.now()).toBeLessThan(3 * HOUR_MS);
  const own = { name: 'more', environment: 'test', rate_limit: 60 };
  const child = (await call(api_key, 'POST', '/v1/api-keys', own)).json.data.key;
  await send(api_key);
  await send(child);
  await send(TEST_KEY);
  await call(api_key, 'POST', '/_svc/suppressions', { address: 'eve@example.test' });
  const [record] = (await listed('api-keys')).api_keys.filter((each: { name: string }) => each.name.includes(name));
  expect(record).toMatchObject({ kind: 'workspace', workspace: name, owner: 'Platform team', expires_at });

  advance(2 * HOUR_MS);
  for (const each of [api_key, child]) {
    const refused = await call(each, 'GET', '/v1/emails');
    expect([refused.status, refused.json.error.message]).toEqual([
      401,
      expect.stringMatching(/^The API key key_\w+ expired at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/),
    ]);
  }
  await app.drain();
  expect((await listed('workspaces')).workspaces).toEqual([]);
  expect((await listed('emails')).emails).toHaveLength(1);
  expect((await listed('suppressions')).suppressions).toEqual([]);
  expect((await listed('api-keys')).api_keys.filter((each: { kind: string }) => each.kind === 'workspace')).toEqual([]);
});

it('deletes it at the next start if the server was stopped meanwhile', async () => {
  const directory = temporaryDirectory();
  const storage = { file: join(directory.path, 'mail.db') };
  const start = () => startApp({ access: 'team', plan: 'none', storage });
  await app.close();
  app = await start();
  const { json } = await call(TEST_KEY, 'POST', '/_svc/workspaces', { name: 'job-1', ttl: '2h' });
  await send(json.data.api_key);
  await app.closeClean();
  advance(3 * HOUR_MS);
  app = await start();
  await app.drain();
  expect((await listed('workspaces')).workspaces).toEqual([]);
  expect((await listed('emails')).emails).toEqual([]);
  await app.closeClean();
  directory.remove();
});

it('finishes a deletion at the next start that a stop has interrupted', async () => {
  const store = openSqliteStore('memory');
  const clock = new ServiceClock();
  const own = { addresses: [], expiresAt: null, keep: null, maxAgeMs: null, monthlyQuota: null, createdAt: 0 };
  await store.write(async (tx) => {
    await tx.workspaces.insert({ name: 'job-1', ...own });
    await tx.emails.insert(emailOf('msg_1', { workspace: 'job-1' }), [], []);
    await tx.emails.insert(emailOf('msg_2'), [], []);
    await tx.workspaces.end('job-1');
  });
  const onInternalError = (error: unknown) => expect(error).toBeUndefined();
  const parsePending = async () => {};
  await new ExpirySweep({ store, clock, ids: createIds(), parsePending, onInternalError }).drain();
  expect(await store.read.workspaces.ended()).toEqual([]);
  expect((await store.read.emails.list({}, { limit: 10, offset: 0 })).items.map(({ id }) => id)).toEqual(['msg_2']);
  await store.close();
});

it.each([
  [{}, 'ttl'],
  [{ ttl: '25h' }, 'ttl'],
  [{ ttl: '2h', addresses: ['*'] }, 'addresses'],
])('refuses %j of a key that creates workspaces', async (body, path) => {
  const { key } = await issue({ creates_workspaces: true });
  const { status, json } = await call(key, 'POST', '/_svc/workspaces', body);
  expect([status, json.error.details.map((each: { path: string }) => each.path)]).toEqual([422, [path]]);
  expect((await listed('workspaces')).workspaces).toEqual([]);
});

it('refuses a key from its expiry on, over REST and in an open SMTP session', async () => {
  const { key, expires_at } = await issue({ expires_in: '1h', owner: 'Ada' });
  expect(Date.parse(expires_at ?? '') - Date.now()).toBeLessThan(2 * HOUR_MS);
  const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  const transport = createTransport({ ...smtp, pool: true, maxConnections: 1, auth: { user: 'ci', pass: key } });
  const message = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hi' };
  await transport.sendMail(message);
  await send(key);
  advance(HOUR_MS);
  await expect(transport.sendMail(message)).rejects.toThrow('550 5.7.1');
  transport.close();
  expect((await call(key, 'GET', '/v1/emails')).status).toBe(401);
  await expect(createTransport({ ...smtp, auth: { user: 'ci', pass: key } }).sendMail(message)).rejects.toThrow('535 ');
  expect((await listed('emails')).emails).toHaveLength(2);
});

it('keeps the newest emails of a workspace with its own limit, on a server without one', async () => {
  const limits = { name: 'few', keep: 2, max_age: '7d' };
  const { json } = await call(TEST_KEY, 'POST', '/_svc/workspaces', limits);
  expect(json.data).toMatchObject({ keep: 2, max_age_ms: 7 * 24 * HOUR_MS });
  for (let n = 0; n < 3; n += 1) {
    await send(json.data.api_key);
    await send(TEST_KEY);
  }
  await app.drain();
  const { emails } = await listed('emails');
  expect(emails.map((each: { workspace: string | null }) => each.workspace).sort()).toEqual([
    ...['few', 'few'],
    ...[null, null, null],
  ]);
});

it('refuses mail over SMTP with a key that creates workspaces', async () => {
  const { key } = await issue({ creates_workspaces: true });
  const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  const transport = createTransport({ ...smtp, auth: { user: 'ci', pass: key } });
  const message = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hi' };
  await expect(transport.sendMail(message)).rejects.toThrow('535 ');
});
