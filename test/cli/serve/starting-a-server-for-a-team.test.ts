import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';

const directory = temporaryDirectory();
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Secret plans', html: '<p>Body</p>' };
let server: TeamServer;

beforeAll(async () => {
  server = await startServe(['--data-dir', directory.path, '--log-level', 'debug']);
});
afterAll(async () => {
  await server.stop();
  directory.remove();
});

const call = (path: string, { key, ...init }: { key?: string; method?: string; body?: object } = {}) =>
  fetch(new URL(path, server.ready.base_url), {
    ...{ method: init.method ?? 'GET', ...(init.body && { body: JSON.stringify(init.body) }) },
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
  });

it('prints its addresses and no secret', () => {
  const { ready } = server;
  expect(ready).toMatchObject({ event: 'ready', api_key: null, webhook_secret: null, data_dir: directory.path });
  expect(ready.inbox_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/inbox$/);
  expect(ready.http.port).toBe(Number(new URL(ready.base_url).port));
});

it.each([
  ['0.0.0.0', 'mail.example.com'],
  ['127.0.0.1', '127.0.0.1'],
])('with an external URL and --host %s, shows %s as the host of SMTP', async (host, shown) => {
  const flags = ['--host', host, '--external-url', 'https://mail.example.com'];
  const open = await startServe([...flags, '--data-dir', join(directory.path, `on-${host}`)]);
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const info = await fetch(`http://127.0.0.1:${open.ready.http.port}/_svc/info`, { headers });
  await open.stop();
  expect(open.ready).toMatchObject({ base_url: 'https://mail.example.com/v1', smtp: { host: shown } });
  expect(await info.json()).toMatchObject({ data: { smtp: open.ready.smtp } });
});

it('answers probes, and nothing else without a key', async () => {
  expect((await call('/readyz')).status).toBe(200);
  for (const path of ['/v1/emails', '/_svc/info', '/metrics']) expect((await call(path)).status).toBe(401);
});

it('has no limits of a plan by default', async () => {
  const info = await (await call('/_svc/info', { key: ADMIN_KEY })).json();
  expect(info).toMatchObject({ data: { plan: 'none' } });
});

it('refuses mail over SMTP without an API key', async () => {
  const send = (pass?: string) =>
    createTransport({ ...server.ready.smtp, ...(pass && { auth: { user: 'app', pass } }) }).sendMail(EMAIL);
  await expect(send()).rejects.toThrow('530 5.7.0 log in first, with an API key as the password');
  await expect(send('guess')).rejects.toThrow('535');
  expect((await send(ADMIN_KEY)).response).toMatch(/^250 /);
  await server.logged(({ msg, accepted }) => msg === 'smtp session' && accepted === 1);
});

it('takes the workspace of a message over SMTP from the key, not from the user name', async () => {
  const created = await call('/_svc/workspaces', { method: 'POST', key: ADMIN_KEY, body: { name: 'checkout' } });
  const { api_key } = ((await created.json()) as { data: { api_key: string } }).data;
  for (const pass of [ADMIN_KEY, api_key]) {
    await createTransport({ ...server.ready.smtp, auth: { user: 'checkout', pass } }).sendMail(EMAIL);
  }
  const listed = await (await call('/_svc/emails?limit=2', { key: ADMIN_KEY })).json();
  expect(listed).toMatchObject({ data: { emails: [{ workspace: 'checkout' }, { workspace: null }] } });
});

it('works with the commands, for admin and ordinary keys', async () => {
  const env = { SVC_BASE_URL: server.ready.base_url, SVC_API_KEY: ADMIN_KEY };
  const created = await svc(['api-keys', 'create', '--name', 'ci', '--json'], { env });
  const ordinary = { ...env, SVC_API_KEY: JSON.parse(created.stdout).key };

  const send = ['emails', 'send', '--to', 'bob@x.test', '--from', 'a@x.test', '--subject', 'Hi', '--html', 'Hi'];
  expect(await svc(send, { env: ordinary })).toMatchObject({ code: 0 });
  expect((await svc(['emails', 'list'], { env: ordinary })).stdout).toContain('bob@x.test');
  expect((await svc(['dev', 'clock', 'advance', '1h'], { env: ordinary })).code).toBe(4);
  expect((await svc(['dev', 'clock', 'advance', '1h'], { env })).code).toBe(0);
});

it('logs requests with the ID of their answer, without contents and keys', async () => {
  const response = await call('/v1/emails', { method: 'POST', body: EMAIL, key: ADMIN_KEY });
  const id = response.headers.get('x-request-id');
  const line = await server.logged(({ request_id, msg }) => request_id === id && msg === 'request');
  expect(line).toMatchObject({ level: 'info', method: 'POST', path: '/v1/emails', status: 201 });
  await call('/healthz');
  expect(await server.logged(({ path }) => path === '/healthz')).toMatchObject({ level: 'debug' });
  expect(server.log.join('\n')).not.toMatch(/svc_test_|ada@|bob@|Secret plans|Body/);
  expect(server.log.map((text) => JSON.parse(text).msg)).toContain('started');
});

it('ends after a signal when the reader of its log has gone', async () => {
  const unread = await startServe(['--data-dir', join(directory.path, 'unread')]);
  for (const stream of [unread.child.stdout, unread.child.stderr]) stream?.destroy();
  expect(await unread.stop()).toBe(0);
});

describe('a start that is not possible', () => {
  const cases: [name: string, args: string[], key: string | undefined, message: RegExp][] = [
    ['without a key', [], undefined, /API key is required\.\nGenerate one with: export SVC_API_KEY=/],
    ['with an empty key', [], '', /API key is required/],
    ['with a malformed key', [], 'hunter2', /must be svc_test_ or svc_live_/],
    ['with another URL', ['--database', 'mysql://a:hidden@b/c'], ADMIN_KEY, /must be a URL of PostgreSQL/],
    [
      'without PostgreSQL',
      ['--database', 'postgres://a:hidden@127.0.0.1:1/c'],
      ADMIN_KEY,
      /"c" on 127\.0\.0\.1:1 .*refused/,
    ],
    ['with TLS and no certificate', ['--starttls'], ADMIN_KEY, /TLS needs a certificate/],
    ['with a proxy that is no address', ['--trusted-proxy', '10.0.0.0/33'], ADMIN_KEY, /address or a network/],
    [
      'below a path',
      ['--external-url', 'https://a.example/sub'],
      ADMIN_KEY,
      /has the path "\/sub", and the server has no base path/,
    ],
    ['with both storages', ['--database', 'postgres://a/b', '--data-dir', 'x'], ADMIN_KEY, /cannot be used together/],
  ];
  it.each(cases)('reports it: %s', async (_, args, key, message) => {
    const { code, stderr } = await svc(['serve', ...args], { env: { SVC_API_KEY: key, SVC_DATA_DIR: directory.path } });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hidden');
  });

  it('names the program that has the port', async () => {
    const port = String(server.ready.http.port);
    const other = temporaryDirectory();
    const { code, stderr } = await svc(['serve', '--http-port', port, '--smtp-port', '0', '--data-dir', other.path], {
      env: { SVC_API_KEY: ADMIN_KEY },
    });
    other.remove();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} is already in use by [^]*--http-port`));
  });
});
