import { afterEach, beforeEach, expect, it } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { askForSession, type InboxApp, openPage } from '../../support/inbox/inbox-app.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY } from '../../support/servers/app.js';

const PASSWORD = 'open sesame';
const ADVANCE = { by: '1h' };

let app: InboxApp;
let smtp: { host: string; port: number };
beforeEach(async () => {
  app = (await startApp({ access: 'team', inboxPassword: PASSWORD })) as InboxApp;
  const anyPort = { host: '127.0.0.1', port: 0 };
  const listening = await app.listen({ http: anyPort, smtp: anyPort });
  app.origin = new URL(listening.baseUrl).origin;
  smtp = listening.smtp;
});
afterEach(() => app.closeClean());

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const login = (name: string, password: string) =>
  `AUTH PLAIN ${Buffer.from(`\0${name}\0${password}`).toString('base64')}`;

async function create(path: string, body: object, key = TEST_KEY) {
  const { status, json } = await app.call('POST', path, body, withKey(key));
  expect(status).toBe(201);
  return json.data;
}

it('accepts mail over SMTP only after a login with an API key', async () => {
  await create('/_svc/workspaces', { name: 'shop' });
  const session = await openSmtp(smtp);
  await session.reply();
  await session.say('EHLO client.example.test');
  expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^530 /);
  // The name of a workspace is enough on a local server.
  expect(await session.say(login('shop', 'anything'))).toMatch(/^535 .*the password must be an API key/);
  expect(await session.say(login('any', TEST_KEY))).toMatch(/^235 /);
  expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^250 /);
  session.socket.end();
});

it('opens the inbox only with a key or the password, and the password gives no rights of an admin key', async () => {
  const { cookie } = await openPage(app.origin);
  expect((await askForSession(app.origin, { cookie })).status).toBe(401);

  const sessionOf = async (proof: object) => {
    const { status, data } = await askForSession(app.origin, { cookie, proof });
    expect(status).toBe(201);
    return { cookie: cookie as string, origin: app.origin, [INBOX_TOKEN_HEADER]: data?.token as string };
  };
  const post = async (path: string, headers: Record<string, string>, body: object = {}) => {
    const response = await fetch(app.origin + path, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
    });
    return { status: response.status, json: (await response.json()) as { data: { code: string } } };
  };
  const byPassword = await sessionOf({ password: PASSWORD });
  expect((await post('/_svc/settle', byPassword)).status).toBe(200);
  expect((await post('/_svc/clock/advance', byPassword, ADVANCE)).status).toBe(403);
  const { json } = await post('/_svc/inbox/codes', byPassword);
  expect((await post('/_svc/clock/advance', await sessionOf({ code: json.data.code }), ADVANCE)).status).toBe(403);
  expect((await post('/_svc/clock/advance', await sessionOf({ key: TEST_KEY }), ADVANCE)).status).toBe(200);
});

it('lets admin keys create others, which ordinary keys cannot revoke', async () => {
  const issued = await create('/_svc/api-keys', { name: 'operations', admin: true });
  expect(issued).toMatchObject({ kind: 'admin', workspace: null });
  expect((await app.call('POST', '/_svc/clock/advance', ADVANCE, withKey(issued.key))).status).toBe(200);

  const ordinary = await create('/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 }, issued.key);
  const { status, json } = await app.call('DELETE', `/v1/api-keys/${issued.id}`, undefined, withKey(ordinary.key));
  expect([status, json.error.message]).toEqual([
    403,
    'A change of an admin key needs an admin key; this key is an ordinary one.',
  ]);
  expect((await app.call('DELETE', `/v1/api-keys/${issued.id}`)).status).toBe(204);
});

it('creates another key of a workspace, and lists the kinds of keys', async () => {
  await create('/_svc/workspaces', { name: 'shop' });
  const { key } = await create('/_svc/api-keys', { name: 'worker', workspace: 'shop' });
  expect((await app.call('GET', '/_svc/info', undefined, withKey(key))).json.data.workspace).toBe('shop');
  const kinds = (await app.read('/_svc/api-keys')).api_keys.map((each: { name: string; kind: string }) => [
    each.name,
    each.kind,
  ]);
  expect(kinds).toEqual([
    ['worker', 'workspace'],
    ['workspace shop', 'workspace'],
    ['SVC_API_KEY', 'admin'],
  ]);
  const refused = await app.call('POST', '/_svc/api-keys', { name: 'x', workspace: 'shop', admin: true });
  expect(refused.json.error.details).toMatchObject([{ path: 'admin' }]);
  expect((await app.call('POST', '/_svc/api-keys', { name: 'x', workspace: 'none' })).status).toBe(404);
});

it('lets any key do everything on a local server', async () => {
  const local = await startApp();
  const body = { name: 'CI', environment: 'test', rate_limit: 60 };
  const { json } = await local.call('POST', '/v1/api-keys', body);
  const headers = withKey(json.data.key);
  expect((await local.call('POST', '/_svc/clock/advance', ADVANCE, headers)).status).toBe(200);
  expect((await local.call('POST', '/_svc/reset', undefined, headers)).status).toBe(204);
  await local.closeClean();
});
