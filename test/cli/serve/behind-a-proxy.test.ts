import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { type ProxyName, type RunningProxy, startProxy } from '../../support/servers/proxy.js';

const FLAGS = ['--external-url', 'https://mail.example.com', '--base-path', '/mail', '--trusted-proxy', '127.0.0.1'];
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hello' };
const AUTHORIZATION = { authorization: `Bearer ${ADMIN_KEY}` };

const proxies: [name: ProxyName, skipped: string][] = [
  ['nginx', skippedWithout('nginx')],
  ['caddy', skippedWithout('caddy')],
];

describe.each(proxies)('behind %s with the configuration of the docs%s', (name, skipped) => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let server: TeamServer;
  let proxy: RunningProxy;
  beforeEach(async () => {
    if (skipped) return;
    directory = temporaryDirectory();
    server = await startServe([...FLAGS, '--data-dir', join(directory.path, 'data')]);
    const { port } = server.ready.http;
    proxy = await startProxy(name, directory.path, [port, port]);
  });
  afterEach(async () => {
    await proxy?.stop();
    await server?.stop();
    directory?.remove();
  });

  it.skipIf(skipped)('serves the inbox, the API and its documents below the base path', async () => {
    expect(server.ready).toMatchObject({
      inbox_url: 'https://mail.example.com/mail/inbox',
      base_url: 'https://mail.example.com/mail/v1',
    });
    const page = await call(proxy, 'GET', '/mail/inbox', { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.headers['set-cookie']).toEqual([expect.stringMatching(/; Path=\/mail\/; Secure$|; Path=\/mail\/$/)]);
    const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect([path, (await call(proxy, 'GET', path)).status]).toEqual([path, 200]);

    const document = JSON.parse((await call(proxy, 'GET', '/mail/v1/openapi.json')).text);
    expect(document.servers[0].url).toMatch(/^https?:\/\/mail\.example\.com(?::\d+)?\/mail\/v1$/);
    const reference = await call(proxy, 'GET', '/mail/docs');
    const [, script = ''] = /<script src="([^"]+)"/.exec(reference.text) ?? [];
    expect([script, (await call(proxy, 'GET', script)).status]).toEqual(['/mail/docs/swagger-ui-bundle.js', 200]);
    expect((await call(proxy, 'GET', '/mail')).status).toBeLessThan(400);
  });

  it.skipIf(skipped)('passes on large requests, events at once, and the address of the client', async () => {
    const stream = await open(proxy, '/mail/_svc/events', AUTHORIZATION);
    expect(stream.statusCode).toBe(200);
    const sent = await call(
      proxy,
      'POST',
      '/mail/v1/emails',
      { ...AUTHORIZATION, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      JSON.stringify({ ...EMAIL, html: `<p>${'x'.repeat(2_000_000)}</p>` }),
    );
    expect([sent.status, sent.text.slice(0, 200)]).toEqual([201, expect.stringContaining('"id":"msg_')]);
    // nginx would keep it until its buffer is full.
    for await (const chunk of stream) if (String(chunk).includes('email.sent')) break;
    stream.destroy();
    const line = await server.logged(({ method, path }) => method === 'POST' && path === '/v1/emails');
    // A client cannot choose its own address.
    expect(line.client).toBe('127.0.0.1');
  });
});

it('answers to commands with the base path in their URL', async () => {
  const directory = temporaryDirectory();
  const server = await startServe(['--base-path', '/mail/', '--data-dir', directory.path]);
  const site = `http://127.0.0.1:${server.ready.http.port}/mail`;
  expect(server.ready).toMatchObject({ inbox_url: `${site}/inbox`, base_url: `${site}/v1` });
  const target = ['--base-url', `${site}/v1`, '--api-key', ADMIN_KEY];
  const email = ['--to', EMAIL.to, '--from', EMAIL.from, '--subject', 'Hi', '--html', '<p>x</p>'];
  const sent = await svc(['emails', 'send', ...email, '--json', ...target]);
  const waited = await svc(['emails', 'wait', '--to', EMAIL.to, '--since', 'start', '--json', ...target]);
  expect(JSON.parse(waited.stdout).id).toBe(JSON.parse(sent.stdout).id);
  expect((await svc(['inbox', '--print', ...target])).stdout).toMatch(/\/mail\/inbox#code=\w+\n$/);
  // Commands on the same data directory find the server too.
  const found = await svc(['dev', 'status', '--json'], { env: { SVC_DATA_DIR: directory.path } });
  expect(JSON.parse(found.stdout)).toMatchObject({ base_url: `${site}/v1` });
  await server.stop();
  directory.remove();
});

const refusals: [flags: string[], message: string][] = [
  [['--base-path', 'mail'], '--base-path must be a path such as /mail, not "mail".'],
  [['--base-path', '/'], '--base-path must be a path such as /mail, not "/".'],
  [['--base-path', '/a/../b'], '--base-path must be a path such as /mail, not "/a/../b".'],
  [['--base-path', '/a b'], '--base-path must be a path such as /mail, not "/a b".'],
  [['--base-path', 'https://x.test/mail'], '--base-path must be a path such as /mail, not "https://x.test/mail".'],
  [['--base-path', '/v1/mail'], '--base-path must not begin with /v1, a path of the server itself.'],
  [
    ['--base-path', '/mail', '--external-url', 'https://x.test/other'],
    '--external-url has the path "/other", and --base-path is /mail.',
  ],
  [['--external-url', 'https://x.test/mail'], '--external-url has the path "/mail", and the server has no base path.'],
];

it.each(refusals)('refuses %j', async (flags, message) => {
  const refused = await svc(['serve', ...flags], { env: { SVC_API_KEY: ADMIN_KEY } });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
});

function open(
  { port }: RunningProxy,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<IncomingMessage> {
  const host = 'mail.example.com';
  const sending = request({ host: '127.0.0.1', port, path, method, headers: { ...headers, host: `${host}:${port}` } });
  sending.end(body);
  return once(sending, 'response').then(([response]) => response as IncomingMessage);
}

async function call(
  proxy: RunningProxy,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const response = await open(proxy, path, headers, { method, body });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
