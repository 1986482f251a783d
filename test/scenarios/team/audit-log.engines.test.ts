import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { control } from '../../../src/contract/control/endpoints.js';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { INBOX_SESSION_PATH, INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Reads what the audit log records of calls, on each engine. */

const ADA = 'ada@example.com';
const COOKIE = `svc_inbox_80=${'c'.repeat(43)}`;
const CLIENT = '203.0.113.7';

let app: TestApp;
const start = async (options: Partial<AppOptions> = {}) => {
  app = await startApp({
    access: 'team',
    trustedProxies: ['10.0.0.0/8'],
    signIn: { header: 'X-Forwarded-Email', admins: [] },
    ...options,
  });
};
beforeEach(() => start());
afterEach(() => app.closeClean());

type Headers = Record<string, string>;

/** Calls the service through the proxy, from the address of a client. */
async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, headers: Headers = {}) {
  const response = await app.http.inject({
    ...{ method, url, remoteAddress: '10.1.2.3' },
    headers: { host: 'localhost', 'x-forwarded-for': CLIENT, authorization: `Bearer ${TEST_KEY}`, ...headers },
    ...(body !== undefined && { payload: body as object }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  const json: any = response.body.startsWith('{') ? JSON.parse(response.body) : undefined;
  return { status: response.statusCode, json, headers: response.headers as Headers };
}

const entries = async () => (await app.read('/_svc/audit?limit=100')).entries;
const send = () => call('POST', '/v1/emails', { to: 'x@a.test', from: 'app@a.test', subject: 'Hi', html: '<p>x</p>' });

async function signedIn(person: string): Promise<Headers> {
  const headers = { 'x-forwarded-email': person, cookie: COOKIE, origin: 'http://localhost', authorization: '' };
  const { json } = await call('POST', `/_svc${INBOX_SESSION_PATH}`, {}, headers);
  return { ...headers, [INBOX_TOKEN_HEADER]: json.data.token };
}

it('records who did what, on what and from where', async () => {
  const created = await call('POST', '/v1/api-keys', { name: 'ci', environment: 'test' });
  const { id, key } = created.json.data;
  const [entry, ...others] = await entries();
  expect(others).toEqual([]);
  expect(entry).toEqual({
    seq: expect.any(Number),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    actor: { kind: 'key', name: 'SVC_API_KEY', key_id: expect.stringMatching(/^key_/), owner: null },
    action: 'api-keys.create',
    target: id,
    details: { name: 'ci', environment: 'test' },
    workspace: null,
    client: CLIENT,
    request_id: created.headers['x-request-id'],
  });
  expect(JSON.stringify(entry)).not.toContain(key);
});

it('records every change of the control API, except those of mail', () => {
  const unrecorded = Object.entries<Endpoint>(control).filter(
    ([, { method, audited }]) => method !== 'GET' && !audited,
  );
  expect(unrecorded.map(([name]) => name)).toEqual([
    ...['settle', 'emails.capture', 'emails.check_links', 'emails.update', 'emails.mark', 'emails.resend'],
    ...['emails.wait', 'inbox.code', 'inbox.preview', 'emails.simulate', 'deliveries.replay', 'events.trigger'],
  ]);
});

it('records each kind of change, and neither reads nor refused calls', async () => {
  const post = async (path: string, body: unknown) => {
    const { status, json } = await call('POST', path, body);
    expect([path, status]).toEqual([path, expect.toBeOneOf([200, 201, 204])]);
    return json?.data;
  };
  const hook = await post('/v1/webhooks', { url: 'https://hooks.test/in/s3cret', events: ['email.sent'] });
  await post('/v1/templates', { name: 'welcome', subject: 'Hi', html: '<p>Hi</p>' });
  await post('/v1/domains', { domain: 'a.test' });
  const rule = await post('/_svc/rules', { to: '*@a.test', outcome: 'bounced' });
  const fault = await post('/_svc/faults', { smtp: 'rcpt', code: 550 });
  await post('/_svc/workspaces', { name: 'checkout', ttl: '2h' });
  for (const monthly_quota of [5, null]) {
    expect((await call('PATCH', '/_svc/workspaces/checkout', { monthly_quota })).status).toBe(200);
  }
  await post('/_svc/suppressions', { address: 'eve@a.test' });
  await post('/_svc/clock/advance', { by: '2h' });
  const email = (await send()).json.data;
  await send();
  for (const path of [
    `/v1/webhooks/${hook.id}`,
    `/_svc/rules/${rule.id}`,
    `/_svc/faults/${fault.id}`,
    '/_svc/workspaces/checkout',
    `/_svc/emails/${email.id}`,
  ]) {
    expect([path, (await call('DELETE', path)).status]).toEqual([path, 204]);
  }
  await post('/_svc/emails/delete', { all: true });
  // No fault is left.
  expect((await call('DELETE', '/_svc/faults')).status).toBe(200);
  expect((await call('GET', '/_svc/export')).status).toBe(200);

  expect((await call('DELETE', '/_svc/rules/rul_none')).status).toBe(404);
  expect((await call('DELETE', '/_svc/emails/msg_none')).status).toBe(404);
  expect((await call('POST', '/_svc/rules', { to: '' })).status).toBe(422);
  expect((await call('GET', '/v1/emails')).status).toBe(200);

  const recorded = (await entries()).map(({ action, target, details }: Record<string, unknown>) => [
    action,
    target,
    details,
  ]);
  expect(recorded.reverse()).toEqual([
    ['webhooks.create', hook.id, { url: 'https://hooks.test', events: '["email.sent"]' }],
    ['templates.create', expect.stringMatching(/^tpl_/), { name: 'welcome' }],
    ['domains.create', 'a.test', { domain: 'a.test' }],
    ['rules.create', rule.id, { to: '*@a.test', outcome: 'bounced' }],
    ['faults.create', fault.id, { smtp: 'rcpt', code: '550' }],
    ['workspaces.create', 'checkout', { ttl: '2h' }],
    ['workspaces.update', 'checkout', { monthly_quota: '5' }],
    ['workspaces.update', 'checkout', { monthly_quota: 'null' }],
    ['suppressions.create', expect.anything(), { address: 'eve@a.test' }],
    ['clock.advance', null, { by: '2h' }],
    ['webhooks.delete', hook.id, {}],
    ['rules.delete', rule.id, {}],
    ['faults.delete', fault.id, {}],
    ['workspaces.delete', 'checkout', {}],
    ['emails.delete', email.id, {}],
    ['emails.delete_selected', null, { all: 'true' }],
    ['export', null, {}],
  ]);
});

it('names a person, and the owner of a personal key', async () => {
  const ada = await signedIn(ADA);
  const { key, id } = (await call('POST', '/v1/api-keys', { name: 'laptop', environment: 'test' }, ada)).json.data;
  await call('POST', '/_svc/suppressions', { address: 'eve@a.test' }, { authorization: `Bearer ${key}` });
  const person = { kind: 'person', name: ADA, key_id: null, owner: null };
  expect(await entries()).toMatchObject([
    { action: 'suppressions.create', actor: { kind: 'key', name: 'laptop', key_id: id, owner: ADA } },
    { action: 'api-keys.create', actor: person, target: id, client: CLIENT },
    { action: 'sign-in', actor: person, target: null, client: CLIENT },
  ]);
});

it('records a sign-in once a day', async () => {
  await signedIn(ADA);
  await signedIn(ADA);
  await signedIn('bob@example.com');
  const actions = (await entries()).map(({ action, actor }: { action: string; actor: { name: string } }) => [
    action,
    actor.name,
  ]);
  expect(actions).toEqual([
    ['sign-in', 'bob@example.com'],
    ['sign-in', ADA],
  ]);
});

it('is for administrators only', async () => {
  const ordinary = (await call('POST', '/v1/api-keys', { name: 'ci', environment: 'test' })).json.data.key;
  const workspace = (await call('POST', '/_svc/workspaces', { name: 'checkout' })).json.data.api_key;
  for (const key of [ordinary, workspace]) {
    const { status, json } = await call('GET', '/_svc/audit', undefined, { authorization: `Bearer ${key}` });
    expect([status, json.error.message]).toEqual([403, expect.stringContaining('needs an admin key')]);
  }
  expect((await call('GET', '/_svc/audit', undefined, await signedIn(ADA))).status).toBe(403);
});

describe('the entries', () => {
  it('have pages', async () => {
    for (const name of ['a', 'b', 'c']) await call('POST', '/_svc/suppressions', { address: `${name}@a.test` });
    const { entries: page, pagination } = await app.read('/_svc/audit?limit=2&offset=1');
    expect(page.map(({ details }: { details: object }) => details)).toEqual([
      { address: 'b@a.test' },
      { address: 'a@a.test' },
    ]);
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false });
  });

  it('survive a reset and an import, and are in no archive', async () => {
    await call('POST', '/_svc/suppressions', { address: 'eve@a.test' });
    const archive = await app.http.inject({
      method: 'GET',
      url: '/_svc/export',
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    });
    await call('POST', '/_svc/reset');
    const imported = await app.http.inject({
      method: 'POST',
      url: '/_svc/import',
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/gzip' },
      payload: archive.rawPayload,
    });
    expect([imported.statusCode, imported.body.slice(0, 300)]).toEqual([200, expect.anything()]);
    const actions = (await entries()).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['import', 'reset', 'export', 'suppressions.create']);
    expect((await app.read('/_svc/suppressions')).pagination.total).toBe(1);
  });
});

it('does not record a change that its transaction undid', async () => {
  expect((await call('POST', '/_svc/workspaces', { name: 'checkout' })).status).toBe(201);
  // Refused within the transaction.
  expect((await call('POST', '/_svc/workspaces', { name: 'checkout' })).status).toBe(409);
  const actions = (await entries()).map(({ action }: { action: string }) => action);
  expect(actions).toEqual(['workspaces.create']);
});
