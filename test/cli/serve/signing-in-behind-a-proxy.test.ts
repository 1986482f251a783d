import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { type ProxyName, type RunningProxy, startExample } from '../../support/servers/proxy.js';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const FLAGS = [
  ...['--external-url', 'https://mail.example.com', '--trusted-proxy', '127.0.0.1'],
  ...['--sign-in-header', 'X-Forwarded-Email', '--sign-in-admin', ADA],
];
/** The cookie of a person whom the program in place of oauth2-proxy has signed in. */
const cookieOf = (person: string) => `_oauth2_proxy=${person}`;

const proxies: [name: ProxyName, skipped: string][] = [
  ['nginx', skippedWithout('nginx')],
  ['caddy', skippedWithout('caddy')],
];

describe.each(proxies)('behind %s with oauth2-proxy, as the docs configure it%s', (name, skipped) => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let server: TeamServer;
  let oauth2: Server;
  let proxy: RunningProxy;
  beforeEach(async () => {
    if (skipped) return;
    directory = temporaryDirectory();
    server = await startServe([...FLAGS, '--data-dir', join(directory.path, 'data')]);
    oauth2 = await startOauth2Proxy();
    proxy = await startExample(name, directory.path, {
      page: 'docs/team.md',
      addresses: {
        '10.0.0.11:8025': server.ready.http.port,
        '127.0.0.1:4180': (oauth2.address() as AddressInfo).port,
      },
    });
  });
  afterEach(async () => {
    await proxy?.stop();
    await server?.stop();
    oauth2?.close();
    directory?.remove();
  });

  const site = () => `http://mail.example.com:${proxy.port}`;
  const call = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    send(proxy.port, method, path, { host: `mail.example.com:${proxy.port}`, ...headers }, body);

  /** Opens the page and its session as a browser does. */
  async function openInbox(person: string) {
    const page = await call('GET', '/inbox', { accept: 'text/html', cookie: cookieOf(person) });
    const [own = ''] = (page.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0] ?? '');
    const cookie = `${cookieOf(person)}; ${own}`;
    const asked = { cookie, origin: site(), 'content-type': 'application/json' };
    const session = await call('POST', '/_svc/inbox/session', asked, '{}');
    const { data } = JSON.parse(session.text);
    return { data, headers: { cookie, 'x-svc-inbox': data.token as string } };
  }

  it.skipIf(skipped)('signs people in, and keeps what they send themselves from the server', async () => {
    const first = await call('GET', '/inbox', { accept: 'text/html' });
    const location = new URL(first.headers.location ?? '', site()).href;
    expect([first.status, location]).toEqual([302, `${site()}/oauth2/sign_in?rd=${site()}/inbox`]);
    expect((await call('GET', '/oauth2/sign_in')).text).toBe('Sign in');

    const ada = await openInbox(ADA);
    expect(ada.data).toMatchObject({ person: ADA, is_admin: true });
    const bob = await openInbox(BOB);
    expect(bob.data).toMatchObject({ person: BOB, is_admin: false });
    expect((await call('GET', '/v1/emails', bob.headers)).status).toBe(200);
    expect((await call('POST', '/_svc/reset', bob.headers)).status).toBe(403);

    // A forged header has no effect, with and without a sign-in, and also next to what looks like a key.
    const forged = { 'x-forwarded-email': ADA, 'X-Forwarded-Email': ADA };
    expect((await call('POST', '/_svc/reset', { ...bob.headers, ...forged })).status).toBe(403);
    const asked = {
      cookie: `svc_inbox_${proxy.port}=${'c'.repeat(43)}`,
      origin: site(),
      'content-type': 'application/json',
    };
    for (const login of [{}, { authorization: 'Bearer svc_test_unknown' }]) {
      const { status } = await call('POST', '/_svc/inbox/session', { ...asked, ...forged, ...login }, '{}');
      expect([login, status]).toEqual([login, 401]);
    }
    // Sent to the server without the proxy's sign-in, the session is worth nothing.
    const { cookie: _, ...token } = ada.headers;
    expect((await call('GET', '/v1/emails', { ...token, cookie: cookieOf(BOB) })).status).toBe(401);
  });

  it.skipIf(skipped)('lets programs use their API keys, and anyone open tracked links', async () => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
    const email = { to: 'x@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>x</p>' };
    const large = JSON.stringify({ ...email, text: 'x'.repeat(2_000_000) });
    expect((await call('POST', '/v1/emails', headers, large)).status).toBe(201);
    expect((await call('GET', '/_svc/info', headers)).status).toBe(200);
    expect((await call('GET', '/v1/emails')).status).toBe(401);
    expect((await call('GET', '/_svc/events')).status).toBe(401);
    // svc itself answers: the link is not one of its own.
    expect((await call('GET', '/t/c/unknown')).status).toBe(404);
    expect((await call('GET', '/inbox/content/unknown')).text).toContain('"error":{"code":"not_found"');
  });

  it.skipIf(skipped)('passes on the events of a person at once', async () => {
    const { headers } = await openInbox(BOB);
    const stream = await open(proxy.port, 'GET', '/_svc/events', {
      host: `mail.example.com:${proxy.port}`,
      ...headers,
    });
    expect(stream.statusCode).toBe(200);
    const email = { to: 'x@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>x</p>' };
    const sending = { ...headers, 'content-type': 'application/json' };
    expect((await call('POST', '/v1/emails', sending, JSON.stringify(email))).status).toBe(201);
    for await (const chunk of stream) if (String(chunk).includes('email.sent')) break;
    stream.destroy();
  });
});

const refusals: [flags: string[], message: string, hint: string][] = [
  [
    ['--sign-in-header', 'X-Forwarded-Email'],
    '--sign-in-header needs --trusted-proxy.',
    'Add the address of the proxy: --sign-in-header X-Forwarded-Email --trusted-proxy 10.0.0.5',
  ],
  [
    ['--sign-in-header', 'Remote-User', '--trusted-proxy', '10.0.0.5'],
    '--sign-in-header must be one of X-Forwarded-User, X-Forwarded-Email,',
    'Pass the header that the proxy sets',
  ],
  [
    ['--sign-in-header', 'x-forwarded-email', '--trusted-proxy', '0.0.0.0/0'],
    'With --trusted-proxy 0.0.0.0/0, anyone could sign in as anyone.',
    'pass the address from which the proxy connects',
  ],
  [['--sign-in-admin', ADA], '--sign-in-admin needs --sign-in-header.', 'Add the header of your proxy'],
  [
    ['--sign-in-header', 'X-Forwarded-User', '--trusted-proxy', '10.0.0.5', '--sign-in-admin', 'Ada '],
    '--sign-in-admin must be 1 to 254 printable ASCII characters without spaces at the ends, not "Ada ".',
    'Pass the name that X-Forwarded-User has for the person',
  ],
  [
    ['--sign-in-header', 'X-Forwarded-User', '--trusted-proxy', '10.0.0.5', '--sign-in-admin', 'ada,bob'],
    '--sign-in-admin names one person, not "ada,bob".',
    'Repeat the flag for each',
  ],
];

it.each(refusals)('refuses %j', async (flags, message, hint) => {
  const refused = await svc(['serve', ...flags], { env: { SVC_API_KEY: ADMIN_KEY } });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(refused.stderr).toContain(hint);
});

/** Answers as oauth2-proxy does with --set-xauthrequest, and takes the person from its cookie. */
async function startOauth2Proxy(): Promise<Server> {
  const server = createServer((asked, response) => {
    if (asked.url?.startsWith('/oauth2/sign_in')) return void response.end('Sign in');
    const [, person] = /_oauth2_proxy=([^;]+)/.exec(asked.headers.cookie ?? '') ?? [];
    if (!asked.url?.startsWith('/oauth2/auth') || person === undefined) return void response.writeHead(401).end();
    response.writeHead(202, { 'x-auth-request-email': person, 'x-auth-request-user': 'sub-of-the-person' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function open(port: number, method: string, path: string, headers: Record<string, string>, body = '') {
  const sending = request({ host: '127.0.0.1', port, path, method, headers });
  sending.end(body);
  return once(sending, 'response').then(([response]) => response as IncomingMessage);
}

async function send(port: number, method: string, path: string, headers: Record<string, string>, body: string) {
  const response = await open(port, method, path, headers, body);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
