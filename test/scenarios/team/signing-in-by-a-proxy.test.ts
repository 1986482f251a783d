import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { INBOX_SESSION_PATH, INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Signs people in as a proxy does: with a header, from the proxy's address. */

const PROXY = '10.1.2.3';
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const ROOT = 'root@example.com';
const COOKIE = `svc_inbox_80=${'c'.repeat(43)}`;

let app: TestApp;
const start = async (options: Partial<AppOptions> = {}) => {
  app = await startApp({
    access: 'team',
    trustedProxies: ['10.0.0.0/8'],
    signIn: { header: 'X-Forwarded-Email', admins: [ROOT] },
    ...options,
  });
};
afterEach(() => app.closeClean());

type Headers = Record<string, string>;
const from = (person: string): Headers => ({ 'x-forwarded-email': person });

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  { headers = {}, body, address = PROXY }: { headers?: Headers; body?: unknown; address?: string } = {},
) {
  const response = await app.http.inject({
    ...{ method, url, remoteAddress: address },
    headers: { host: 'localhost', ...headers },
    ...(body !== undefined && { payload: body as object }),
  });
  const text = response.body;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  return { status: response.statusCode, json: text.startsWith('{') ? (JSON.parse(text) as any) : undefined };
}

const askFor = (headers: Headers, body: unknown = {}, address = PROXY) =>
  call('POST', `/_svc${INBOX_SESSION_PATH}`, {
    headers: { origin: 'http://localhost', cookie: COOKIE, ...headers },
    body,
    address,
  });

/** Opens a session. Returns the headers of the page's calls, with those of the proxy. */
async function signedIn(person: string): Promise<Headers> {
  const { json } = await askFor(from(person));
  return { cookie: COOKIE, [INBOX_TOKEN_HEADER]: json.data.token, ...from(person) };
}

describe('a server with sign-in by a proxy', () => {
  beforeEach(() => start());

  it('opens the inbox for the person that the proxy names', async () => {
    const { status, json } = await askFor(from(ADA));
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ person: ADA, is_admin: false, workspace: null, workspaces: [] });
    expect((await call('GET', '/v1/emails', { headers: await signedIn(ADA) })).status).toBe(200);
  });

  it('names an administrator as the setting does, letter for letter', async () => {
    expect((await askFor(from(ROOT))).json.data).toMatchObject({ person: ROOT, is_admin: true });
    expect((await askFor(from('Root@example.com'))).json.data).toMatchObject({ is_admin: false });
  });

  it.each([
    ['x-forwarded-email', '203.0.113.9'],
    ['x-forwarded-user', '203.0.113.9'],
    ['x-auth-request-email', '203.0.113.9'],
    ['x-auth-request-user', '127.0.0.1'],
    ['x-forwarded-preferred-username', '::1'],
  ])('refuses %s from %s, whatever else the request has', async (header, address) => {
    const forged = { [header]: ROOT, 'x-forwarded-for': PROXY, authorization: `Bearer ${TEST_KEY}` };
    for (const path of ['/v1/emails', '/inbox', '/_svc/info']) {
      const { status, json } = await call('GET', path, { headers: forged, address });
      expect([path, status, json.error.code]).toEqual([path, 403, 'authorization_error']);
      expect(json.error.message).toMatch(/^Only a trusted proxy may send the header X-/);
    }
    expect((await askFor(forged, {}, address)).status).toBe(403);
  });

  it('accepts a proxy whose IPv4 address is in IPv6 form', async () => {
    expect((await askFor(from(ADA), {}, '::ffff:10.1.2.3')).status).toBe(201);
    expect((await askFor(from(ADA), {}, '::ffff:11.1.2.3')).status).toBe(403);
  });

  it('reads only the header of the setting: the proxy may pass on others of the client', async () => {
    const { status, json } = await askFor({ 'x-forwarded-user': ROOT, 'x-auth-request-email': ROOT });
    expect([status, json.error.details]).toEqual([401, [{ path: 'login', message: 'password' }]]);
    const headers = { ...from(ADA), 'x-forwarded-user': ROOT };
    expect((await askFor(headers)).json.data).toMatchObject({ person: ADA, is_admin: false });
  });

  it.each(['', ' ', 'ada\t@example.com', 'ad\u00e4@example.com', 'a'.repeat(255)])(
    'refuses the name %j',
    async (name) => {
      const { status, json } = await askFor(from(name));
      expect([status, json.error.message]).toEqual([
        400,
        expect.stringMatching(/^The header X-Forwarded-Email must be /),
      ]);
    },
  );

  it('gives the name alone no right: another page can send it, but has no token', async () => {
    expect((await call('GET', '/v1/emails', { headers: from(ROOT) })).status).toBe(401);
    expect((await call('DELETE', '/_svc/faults', { headers: { cookie: COOKIE, ...from(ROOT) } })).status).toBe(401);
    expect((await askFor({ ...from(ROOT), origin: 'https://evil.test' })).status).toBe(403);
    expect((await askFor({ ...from(ROOT), 'sec-fetch-site': 'same-site' })).status).toBe(403);
    const { [INBOX_TOKEN_HEADER]: _, ...withoutToken } = await signedIn(ROOT);
    expect((await call('POST', '/_svc/reset', { headers: withoutToken, body: {} })).status).toBe(401);
    const { cookie: __, ...withoutCookie } = await signedIn(ROOT);
    expect((await call('POST', '/_svc/reset', { headers: withoutCookie, body: {} })).status).toBe(401);
  });

  it('ends the session of a person who is not the one that the proxy names now', async () => {
    const opened = await askFor(from(ROOT));
    const session = { cookie: COOKIE, [INBOX_TOKEN_HEADER]: opened.json.data.token };
    expect((await call('GET', '/v1/emails', { headers: session })).status).toBe(401);
    expect((await call('GET', '/v1/emails', { headers: { ...session, ...from(ADA) } })).status).toBe(401);
    expect((await call('GET', '/v1/emails', { headers: { ...session, ...from(ROOT) } })).status).toBe(200);
    // Nor does the next person in this browser continue it.
    expect((await askFor(from(ADA), { resume: opened.json.data.resume })).status).toBe(401);
    expect((await askFor(from(ROOT), { resume: opened.json.data.resume })).json.data.is_admin).toBe(true);
  });

  it('still takes API keys, also through the proxy', async () => {
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    expect((await call('GET', '/v1/emails', { headers })).status).toBe(200);
    expect((await call('GET', '/v1/emails', { headers, address: '203.0.113.9' })).status).toBe(200);
    expect((await call('GET', '/v1/emails', { headers: { ...headers, ...from(ADA) } })).status).toBe(200);
  });
});

describe('a member', () => {
  beforeEach(() => start());

  it('uses the service, but changes nothing that affects everyone', async () => {
    const ada = await signedIn(ADA);
    const email = { to: 'x@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>x</p>' };
    expect((await call('POST', '/v1/emails', { headers: ada, body: email })).status).toBe(201);

    await call('POST', '/_svc/workspaces', { headers: await signedIn(ROOT), body: { name: 'checkout' } });
    const refused: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, unknown?][] = [
      ['POST', '/_svc/reset', {}],
      ['GET', '/_svc/export'],
      ['PATCH', '/_svc/clock', { frozen: true }],
      ['POST', '/_svc/workspaces', { name: 'mine' }],
      ['DELETE', '/_svc/workspaces/checkout'],
      ['POST', '/_svc/faults', { preset: 'outage' }],
      ['POST', '/_svc/rules', { to: '*@x.test', outcome: 'bounced' }],
      ['POST', '/_svc/api-keys', { name: 'mine', admin: true }],
    ];
    for (const [method, path, body] of refused) {
      const { status, json } = await call(method, path, { headers: ada, body });
      expect([method, path, status, json?.error?.code]).toEqual([method, path, 403, 'authorization_error']);
    }
    const switched = await askFor(from(ADA), { workspace: 'checkout' });
    expect([switched.status, switched.json.error.message]).toEqual([403, expect.stringContaining('admin key')]);
  });

  it('creates, sees and revokes only keys of their own', async () => {
    const [ada, bob, root] = [await signedIn(ADA), await signedIn(BOB), await signedIn(ROOT)];
    const create = async (headers: Headers, name: string) =>
      (await call('POST', '/v1/api-keys', { headers, body: { name, environment: 'test' } })).json.data;
    const named = async (headers: Headers, path = '/_svc/api-keys') =>
      (await call('GET', path, { headers })).json.data.api_keys.map((key: { name: string }) => key.name);
    const own = await create(ada, 'laptop');
    await create(bob, 'desktop');
    expect(await named(ada)).toEqual(['laptop']);
    expect(await named(ada, '/v1/api-keys')).toEqual(['laptop']);
    expect(await named(root)).toEqual(expect.arrayContaining(['laptop', 'desktop']));

    // The key itself has the same limit, and so have the keys that it creates.
    const withKey = { authorization: `Bearer ${own.key}` };
    const child = await create(withKey, 'child');
    const { api_keys } = (await call('GET', '/_svc/api-keys', { headers: withKey })).json.data;
    expect(api_keys).toMatchObject([
      { name: 'child', owner: ADA },
      { name: 'laptop', owner: ADA, kind: 'ordinary' },
    ]);
    const [others] = (await call('GET', '/_svc/api-keys', { headers: bob })).json.data.api_keys;
    for (const headers of [ada, withKey]) {
      const { status, json } = await call('DELETE', `/v1/api-keys/${others.id}`, { headers });
      expect([status, json.error.message]).toEqual([403, expect.stringContaining('a key of another owner')]);
    }
    const serverKey = (await call('GET', '/_svc/api-keys', { headers: root })).json.data.api_keys.at(-1);
    expect((await call('DELETE', `/v1/api-keys/${serverKey.id}`, { headers: ada })).status).toBe(403);

    // Nor does a member create a key for someone else, or of another kind.
    const issue = (headers: Headers, body: object) =>
      call('POST', '/_svc/api-keys', { headers, body: { name: 'issued', ...body } });
    for (const body of [{ owner: BOB }, { admin: true }, { creates_workspaces: true }, { workspace: 'none' }]) {
      for (const headers of [ada, withKey]) {
        const { status, json } = await issue(headers, body);
        expect([body, status, json.error.code]).toEqual([body, 403, 'authorization_error']);
      }
    }
    const live = await issue(ada, { environment: 'live' });
    expect([live.status, live.json.error.message]).toEqual([403, expect.stringContaining('live')]);
    const issued = await issue(ada, { expires_in: '2h' });
    expect(issued.json.data).toMatchObject({ owner: ADA, kind: 'ordinary', expires_at: expect.any(String) });
    const later = await issue({ authorization: `Bearer ${issued.json.data.key}` }, { expires_in: '90d' });
    expect(later.json.data.expires_at).toBe(issued.json.data.expires_at);
    expect((await issue(root, {})).json.data).toMatchObject({ owner: ROOT });
    expect((await issue(root, { owner: BOB, admin: true })).json.data).toMatchObject({ owner: BOB, kind: 'admin' });

    expect((await call('DELETE', `/v1/api-keys/${own.id}`, { headers: ada })).status).toBe(204);
    expect((await call('GET', '/v1/emails', { headers: withKey })).status).toBe(401);
    expect((await call('DELETE', `/v1/api-keys/${child.id}`, { headers: root })).status).toBe(204);
    expect((await call('DELETE', `/v1/api-keys/${others.id}`, { headers: root })).status).toBe(204);
  });
});

it('ignores the headers without the setting', async () => {
  await start({ signIn: undefined });
  expect((await askFor(from(ROOT))).status).toBe(401);
  expect((await askFor(from(ROOT), {}, '203.0.113.9')).status).toBe(401);
  const headers = { authorization: `Bearer ${TEST_KEY}`, ...from(ROOT) };
  expect((await call('GET', '/v1/emails', { headers, address: '203.0.113.9' })).status).toBe(200);
});

it('does not sign people in after the key of the server was revoked', async () => {
  await start();
  const ada = await signedIn(ADA);
  const root = await signedIn(ROOT);
  const { api_keys } = (await call('GET', '/_svc/api-keys', { headers: root })).json.data;
  expect((await call('DELETE', `/v1/api-keys/${api_keys[0].id}`, { headers: root })).status).toBe(204);
  expect((await call('GET', '/v1/emails', { headers: ada })).status).toBe(401);
  expect((await askFor(from(ADA))).status).toBe(401);
});
