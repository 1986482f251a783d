import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { askForSession, type InboxApp, openPage, openSession, startInboxApp } from '../../support/inbox/inbox-app.js';
import { isOnPostgres } from '../../support/servers/storage.js';

const MINUTE_MS = 60_000;
const isRoot = process.getuid?.() === 0;
const OTHER_UID = '65533';

let app: InboxApp;
let origin: string;

beforeAll(async () => {
  app = await startInboxApp();
  ({ origin } = app);
});
afterAll(() => app.closeClean());

const loginOf = (error?: { details?: { path: string; message: string }[] }) =>
  error?.details?.find(({ path }) => path === 'login')?.message;

async function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(origin + path, { headers });
  await response.text();
  return response.status;
}

describe.runIf(process.platform === 'linux')('a browser of the user who runs the server', () => {
  it('gets a session without a login', async () => {
    const { cookie } = await openPage(origin);
    const { status, data } = await askForSession(origin, { cookie });
    expect(status).toBe(201);
    expect(data?.base_url).toBe(`${origin}/v1`);
    const headers = { cookie: cookie ?? '', [INBOX_TOKEN_HEADER]: data?.token ?? '' };
    expect(await statusOf('/v1/emails', headers)).toBe(200);
    expect(await statusOf('/_svc/info', headers)).toBe(200);
  });

  it('gets a cookie that scripts and other sites cannot use', async () => {
    const { response } = await openPage(origin, '/inbox/emails/msg_1');
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^svc_inbox_${new URL(origin).port}=\\w{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
  });

  it('keeps the cookie that it has', async () => {
    const { cookie } = await openPage(origin);
    const { response } = await openPage(origin, '/inbox', { cookie: cookie ?? '' });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }],
    ['a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }],
  ])('gets no cookie through %s', async (_, headers) => {
    const { response } = await openPage(origin, '/', headers);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it('needs a reload without a cookie', async () => {
    const { status, error } = await askForSession(origin, {});
    expect({ status, login: loginOf(error) }).toEqual({ status: 401, login: 'reload' });
  });

  it('needs both the cookie and the token', async () => {
    const { cookie = '', [INBOX_TOKEN_HEADER]: token = '' } = await openSession(origin);
    expect(await statusOf('/v1/emails', { cookie })).toBe(401);
    expect(await statusOf('/v1/emails', { [INBOX_TOKEN_HEADER]: token })).toBe(401);
    const other = (await openPage(origin)).cookie ?? '';
    expect(await statusOf('/v1/emails', { cookie: other, [INBOX_TOKEN_HEADER]: token })).toBe(401);
    expect(await statusOf('/v1/emails', { cookie, [INBOX_TOKEN_HEADER]: token })).toBe(200);
  });

  it('cannot use the cookie of another port', async () => {
    const { cookie = '' } = await openPage(origin);
    const renamed = cookie.replace(/^svc_inbox_\d+/, 'svc_inbox_8025');
    expect(loginOf((await askForSession(origin, { cookie: renamed })).error)).toBe('reload');
  });

  // On PostgreSQL, its own clock decides.
  it.skipIf(isOnPostgres)('loses the session after a day', async () => {
    const headers = await openSession(origin);
    const now = vi.spyOn(app.clock, 'systemNow').mockReturnValue(Date.now() + 24 * 60 * MINUTE_MS + 1_000);
    try {
      expect(await statusOf('/v1/emails', headers)).toBe(401);
    } finally {
      now.mockRestore();
    }
  });

  it('is not counted or logged', async () => {
    const headers = await openSession(origin);
    const before = await app.read('/_svc/requests?limit=100');
    const response = await fetch(`${origin}/v1/emails`, { headers });
    await response.text();
    await openPage(origin, '/inbox/emails');
    expect(await app.read('/_svc/requests?limit=100')).toEqual(before);
  });
});

describe('a page that is not the inbox', () => {
  it.each([
    ['another site', { origin: 'https://attacker.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['the same server under another name', { origin: 'http://localhost' }],
    ['a request without an origin', { origin: '' }],
    ['another site, by the browser', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused: %s', async (_, headers) => {
    const { cookie } = await openPage(origin);
    const { status, error } = await askForSession(origin, { cookie, headers });
    expect({ status, code: error?.code }).toEqual({ status: 403, code: 'authorization_error' });
  });

  it('is refused under a foreign host name', async () => {
    const answer = await app.http.inject({ url: '/', headers: { host: 'rebound.example', accept: 'text/html' } });
    expect(answer.statusCode).toBe(403);
  });

  it('cannot send a form', async () => {
    const { cookie = '' } = await openPage(origin);
    const response = await fetch(`${origin}/_svc/inbox/session`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', origin, cookie },
      body: '{}',
    });
    expect(response.status).toBe(400);
  });
});

describe('a connection that may be anyone’s', () => {
  it.each([
    ...['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'fastly-client-ip'],
    ...['for', 'host', 'proto', 'port', 'server', 'prefix'].map((name) => `x-forwarded-${name}`),
    ...['x-original-host', 'x-cluster-client-ip', 'cf-ray', 'x-envoy-external-address'],
  ])('needs a link behind a proxy (%s)', async (name) => {
    const { cookie } = await openPage(origin);
    const { status, error } = await askForSession(origin, { cookie, headers: { [name]: '203.0.113.9' } });
    expect({ status, login: loginOf(error) }).toEqual({ status: 401, login: 'password' });
    expect(error?.hint).toContain('svc inbox');
  });

  it.runIf(isRoot && process.platform === 'linux')(
    'needs a link if another user of the machine opened it',
    async () => {
      const { cookie = '' } = await openPage(origin);
      const script = `fetch(${JSON.stringify(`${origin}/_svc/inbox/session`)}, { method: 'POST', body: '{}', headers: ${JSON.stringify(
        { 'content-type': 'application/json', origin, cookie },
      )} }).then(async (r) => console.log(r.status, await r.text()))`;
      const args = ['--reuid', OTHER_UID, '--clear-groups', process.execPath, '-e', script];
      const { stdout } = await promisify(execFile)('setpriv', args);
      expect(stdout).toMatch(/^401 .*"message":"link"/);
    },
  );
});

describe('a one-time code', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };
  const newCode = async () => (await app.call('POST', '/_svc/inbox/codes')).json.data.code as string;

  it('opens one session', async () => {
    const { cookie } = await openPage(origin);
    const code = await newCode();
    const first = await askForSession(origin, { cookie, proof: { code }, headers: forwarded });
    const second = await askForSession(origin, { cookie, proof: { code }, headers: forwarded });
    expect([first.status, second.status]).toEqual([201, 401]);
    expect(second.error?.message).toBe('The link has expired or was already used.');
  });

  it.skipIf(isOnPostgres)('expires after five minutes', async () => {
    const { cookie } = await openPage(origin);
    const code = await newCode();
    const now = vi.spyOn(app.clock, 'systemNow').mockReturnValue(Date.now() + 5 * MINUTE_MS + 1_000);
    try {
      const { status } = await askForSession(origin, { cookie, proof: { code }, headers: forwarded });
      expect(status).toBe(401);
    } finally {
      now.mockRestore();
    }
  });

  it('needs an API key', async () => {
    expect((await app.call('POST', '/_svc/inbox/codes', undefined, { authorization: '' })).status).toBe(401);
  });

  it('has the rights of the key that created it', async () => {
    const { json } = await app.call('POST', '/_svc/workspaces', { name: 'w1' });
    const created = await app.call('POST', '/_svc/inbox/codes', undefined, {
      authorization: `Bearer ${json.data.api_key}`,
    });
    const { cookie = '' } = await openPage(origin);
    const { data } = await askForSession(origin, { cookie, proof: { code: created.json.data.code } });
    const response = await fetch(`${origin}/_svc/info`, {
      headers: { cookie, [INBOX_TOKEN_HEADER]: data?.token ?? '' },
    });
    expect(((await response.json()) as { data: { workspace: string } }).data.workspace).toBe('w1');
  });

  it('opens one more session of the same browser after a reload', async () => {
    const { cookie } = await openPage(origin);
    const { data } = await askForSession(origin, { cookie, proof: { code: await newCode() }, headers: forwarded });
    const proof = { resume: data?.resume };
    const other = await openPage(origin);
    const again = await askForSession(origin, { cookie, proof, headers: forwarded });
    const twice = await askForSession(origin, { cookie, proof, headers: forwarded });
    const stolen = await askForSession(origin, {
      cookie: other.cookie,
      proof: { resume: again.data?.resume },
      headers: forwarded,
    });
    expect([again.status, twice.status, stolen.status]).toEqual([201, 401, 401]);
  });

  it('does not continue a session whose key was revoked', async () => {
    const created = await app.call('POST', '/v1/api-keys', { name: 'Short-lived', environment: 'test' });
    const { id, key } = created.json.data;
    const { cookie } = await openPage(origin);
    const { data } = await askForSession(origin, { cookie, proof: { key }, headers: forwarded });
    await app.call('DELETE', `/v1/api-keys/${id}`);
    const resumed = await askForSession(origin, { cookie, proof: { resume: data?.resume }, headers: forwarded });
    expect([data?.resume, resumed.status]).toEqual([expect.any(String), 401]);
  });
});

describe('a request for a session that is not valid', () => {
  it.each([
    ['an unknown field', { secret: 'x' }],
    ['two proofs', { code: 'x', password: 'y' }],
    ['a number', { code: 1 }],
    ['a list', []],
    ['a long text', { password: 'x'.repeat(1_001) }],
  ])('is refused: %s', async (_, proof) => {
    const { cookie } = await openPage(origin);
    const { status, error } = await askForSession(origin, { cookie, proof });
    expect(status).toBe(400);
    expect(error?.message).toContain('resume, code, key, password');
  });
});
