import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startReceiver } from '../../support/servers/receiver.js';

/** Suppressions, rules and faults of a workspace affect no other, and no email without a workspace. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };

let app: TestApp;
let keys: { one: string; two: string };

beforeEach(async () => {
  app = await startApp({ plan: 'none' });
  const created = async (name: string) => (await app.call('POST', '/_svc/workspaces', { name })).json.data.api_key;
  keys = { one: await created('one'), two: await created('two') };
});
afterEach(() => app.closeClean());

type Caller = keyof typeof keys | 'server';

const call = (caller: Caller, method: string, path: string, body?: unknown) =>
  app.call(method, path, body, caller === 'server' ? {} : { authorization: `Bearer ${keys[caller]}` });

async function send(caller: Caller, headers: object = {}): Promise<string> {
  const email = { to: 'ada@example.test', from: 'app@example.test', subject: caller, html: '<p>Hi</p>' };
  const authorization = caller === 'server' ? {} : { authorization: `Bearer ${keys[caller]}` };
  const { status, json } = await app.call('POST', '/v1/emails', email, { ...authorization, ...headers });
  expect(status).toBe(201);
  await app.drain();
  return json.data.id;
}

const statusOf = async (id: string) =>
  (await app.read(`/_svc/emails/${id}`)).recipients.map((each: { status: string }) => each.status).join();

const addresses = async (caller: Caller) =>
  (await call(caller, 'GET', '/_svc/suppressions')).json.data.suppressions.map(
    (each: { address: string; workspace: string | null }) => [each.address, each.workspace],
  );

it('drops emails to a suppressed address in the workspace of the bounce only', async () => {
  await send('one', { 'x-service-simulate': 'bounced' });
  await send('server', { 'x-service-simulate': 'complained' });
  expect(await addresses('one')).toEqual([['ada@example.test', 'one']]);
  expect(await addresses('two')).toEqual([]);
  expect(await addresses('server')).toEqual([
    ['ada@example.test', null],
    ['ada@example.test', 'one'],
  ]);
  expect(await statusOf(await send('one'))).toBe('dropped');
  expect(await statusOf(await send('two'))).toBe('delivered');
  expect(await statusOf(await send('server'))).toBe('dropped');
});

it('adds and deletes suppressions with the key of a workspace', async () => {
  const address = '/_svc/suppressions/ada@example.test';
  expect((await call('one', 'POST', '/_svc/suppressions', { address: 'ada@example.test' })).status).toBe(201);
  expect((await call('two', 'DELETE', address)).status).toBe(404);
  expect((await call('server', 'DELETE', address)).status).toBe(404);
  expect((await call('two', 'DELETE', `${address}?workspace=one`)).status).toBe(403);
  expect((await call('one', 'DELETE', address)).status).toBe(204);
  expect((await call('one', 'POST', '/_svc/suppressions', { address: 'ada@example.test' })).status).toBe(201);
  expect((await call('server', 'DELETE', `${address}?workspace=one`)).status).toBe(204);
  expect(await addresses('one')).toEqual([]);
});

it('applies a rule to emails of its workspace only, which alone removes it', async () => {
  const rule = { to: 'ada@*', outcome: 'deferred', times: 2 };
  const { id } = (await call('one', 'POST', '/_svc/rules', rule)).json.data;
  const used = async (caller: Caller) =>
    (await call(caller, 'GET', '/_svc/rules')).json.data.rules.map((each: { used: number }) => each.used);
  for (const caller of ['one', 'two', 'server'] as const) await send(caller);
  expect([await used('one'), await used('two'), await used('server')]).toEqual([[1], [], [1]]);
  expect((await call('two', 'DELETE', `/_svc/rules/${id}`)).status).toBe(404);
  expect((await call('one', 'DELETE', `/_svc/rules/${id}`)).status).toBe(204);
});

it.each([
  ['suppressions', { address: 'ada@example.test' }],
  ['rules', { to: 'ada@*', outcome: 'bounced' }],
  ['faults', { http: 'GET /v1/domains', code: 503 }],
])('adds %s to a workspace that a key of the server names', async (name, body) => {
  const path = `/_svc/${name}`;
  const added = await call('server', 'POST', path, { ...body, workspace: 'one' });
  expect([added.status, added.json.data.workspace]).toEqual([201, 'one']);
  expect((await call('one', 'GET', path)).json.data[name]).toEqual([added.json.data]);
  expect((await call('two', 'GET', path)).json.data[name]).toEqual([]);
  expect((await call('one', 'POST', path, { ...body, workspace: 'one' })).status).toBe(201);

  const refused = await call('two', 'POST', path, { ...body, workspace: 'one' });
  expect([refused.status, refused.json.error.message]).toEqual([403, 'This key cannot change workspace one.']);
  const unknown = await call('server', 'POST', path, { ...body, workspace: 'three' });
  expect([unknown.status, unknown.json.error.message]).toEqual([404, 'Workspace "three" not found.']);
});

it('injects faults into requests, sessions and webhooks of their workspace only', async () => {
  const receiver = await startReceiver();
  const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  for (const caller of ['one', 'two'] as const) {
    await call(caller, 'POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  }
  const targets = [
    { http: 'GET /v1/emails', code: 503 },
    { smtp: 'mail', code: 451 },
    { smtp: 'connect', code: 421 },
    { webhook: receiver.url, code: 500 },
  ];
  for (const fault of targets) expect((await call('one', 'POST', '/_svc/faults', fault)).status).toBe(201);

  const list = async (caller: Caller) => (await call(caller, 'GET', '/v1/emails')).status;
  expect([await list('one'), await list('two'), await list('server')]).toEqual([503, 200, 200]);
  const message = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hi' };
  const submit = (auth?: { user: string; pass: string }) =>
    createTransport({ ...smtp, ...(auth && { auth }) }).sendMail(message);
  await expect(submit({ user: 'one', pass: 'any' })).rejects.toThrow('451 ');
  await submit({ user: 'two', pass: 'any' });
  await submit();
  await app.drain();
  const [attempted] = await receiver.until(1);
  expect(JSON.parse(attempted?.body.toString() ?? '').type).toBe('email.sent');
  await send('one');
  const hits = (await call('one', 'GET', '/_svc/faults')).json.data.faults.map((each: { hits: number }) => each.hits);
  // The connection is accepted before its login.
  expect(hits).toEqual([1, 0, 1, 1]);
  expect((await call('two', 'GET', '/_svc/faults')).json.data.faults).toEqual([]);
  expect((await call('two', 'DELETE', '/_svc/faults')).json.data).toEqual({ removed: 0 });
  expect((await call('one', 'DELETE', '/_svc/faults')).json.data).toEqual({ removed: 4 });
  await receiver.close();
});

it('forgets suppressions, rules and faults of a workspace that is reset or deleted', async () => {
  const add = async (caller: Caller) => {
    await call(caller, 'POST', '/_svc/suppressions', { address: 'ada@example.test' });
    await call(caller, 'POST', '/_svc/rules', { to: 'ada@*', outcome: 'bounced' });
    await call(caller, 'POST', '/_svc/faults', { http: 'GET /v1/domains', code: 503 });
  };
  for (const caller of ['one', 'two', 'server'] as const) await add(caller);
  const left = async () => {
    const [suppressions, rules, faults] = await Promise.all(
      ['suppressions', 'rules', 'faults'].map((name) => app.read(`/_svc/${name}`)),
    );
    return [...suppressions.suppressions, ...rules.rules, ...faults.faults].map(({ workspace }) => workspace);
  };
  expect((await call('one', 'POST', '/_svc/reset')).status).toBe(204);
  expect(new Set(await left())).toEqual(new Set([null, 'two']));
  expect((await app.call('DELETE', '/_svc/workspaces/two')).status).toBe(204);
  expect(await left()).toEqual([null, null, null]);
  expect(await addresses('one')).toEqual([]);
});
