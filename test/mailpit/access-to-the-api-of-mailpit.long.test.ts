import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc as runSvc, start, startDev } from '../support/cli/binary.js';
import { startApp } from '../support/servers/app.js';
import { unusedPort } from '../support/servers/ports.js';
import { call, listen, type Server, sender, startSvc } from './servers.js';

/** Tests who may use the API of Mailpit, and its form of errors. */

const LIST = '/api/v1/messages';

function basic(key: string) {
  return { authorization: `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}` };
}

/** Sends headers that `fetch` does not. */
function get(url: string, headers: Record<string, string> = {}): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, async (response) => {
      const chunks = await response.setEncoding('utf8').toArray();
      resolve({ status: response.statusCode, text: chunks.join('') });
    })
      .on('error', reject)
      .end();
  });
}

describe('svc dev --mailpit', () => {
  let svc: Server & { key: string };
  beforeAll(async () => {
    svc = await startSvc();
  });
  afterAll(() => svc.stop());

  it('admits the user who runs the server, and a key as the password', async () => {
    expect(await get(svc.url + LIST)).toMatchObject({ status: 200 });
    expect(await get(svc.url + LIST, basic(svc.key))).toMatchObject({ status: 200 });
  });

  it.each([
    ['a wrong password', basic('svc_test_wrong'), 401],
    ['a user without a password', { authorization: 'Basic YQ==' }, 401],
    ['a proxy', { 'x-forwarded-for': '10.0.0.1' }, 401],
    ['a page of another origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 401],
    ['a page that names its origin', { origin: 'https://evil.example' }, 403],
    ['a name that resolves to this machine', { host: 'evil.example' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    const answer = await get(svc.url + LIST, headers);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('"success"');
  });

  it('shows an email in a tab, but runs nothing of it', async () => {
    await call(svc, 'POST', '/api/v1/send', {
      From: { Email: 'a@example.test' },
      To: [{ Email: 'b@example.test' }],
      HTML: '<script>alert(1)</script>',
    });
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    const response = await fetch(`${svc.url}/view/latest.html`);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.* sandbox/);
    expect((await get(`${svc.url}/view/latest.html`, headers)).status).toBe(200);
    expect((await get(`${svc.url}/api/v1/message/latest`, headers)).status).toBe(401);
  });

  it.each(['Sat, 13 Sep 275760 10:00:00 +1200', 'Fri, 1 Jan 10000 00:00:00 +0000', 'soon'])(
    'shows a message with the date %s',
    async (date) => {
      const body = `From: a@example.test\r\nTo: b@example.test\r\nDate: ${date}\r\nSubject: Late\r\n\r\nHi\r\n`;
      const headers = { authorization: `Bearer ${svc.key}`, 'content-type': 'message/rfc822' };
      const captured = await fetch(`${svc.url}/_svc/emails`, { method: 'POST', headers, body });
      expect(captured.status).toBe(201);

      const { status, text } = await get(`${svc.url}/api/v1/message/latest`);

      expect([status, JSON.parse(text).Date]).toEqual([200, expect.stringMatching(/^20\d\d-/)]);
    },
  );

  it('refuses bad input without failing', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const bodies = [
      '',
      'null',
      '[]',
      '{',
      '"x"',
      deep,
      '{"IDs":[1]}',
      '{"Search":"\\ud800"}',
      '{"To":"x","From":7}',
      '{"headers":[]}',
    ];
    const targets = [
      'PUT /api/v1/messages',
      'DELETE /api/v1/messages',
      'PUT /api/v1/tags',
      'PUT /api/v1/tags/%00',
      'PUT /api/v1/chaos',
      'POST /api/v1/send',
      'POST /api/v1/message/latest/release',
    ];
    expect((await call(svc, 'PUT', '/api/v1/messages', '[]')).body).toBe('body: must be an object.');
    const answers: string[] = [];
    for (const target of targets) {
      const [method = '', path = ''] = target.split(' ');
      for (const body of bodies) answers.push(`${target} ${(await call(svc, method, path, body)).status}`);
    }
    const queries = [
      '"',
      'subject:"a\\',
      '-',
      'tag:*',
      '/(/',
      'before:9999999999999999',
      `larger:${'9'.repeat(40)}`,
      'x '.repeat(400),
      '\ud800'.toWellFormed(),
      'OR',
      'header:x',
    ];
    for (const query of queries) {
      for (const method of ['GET', 'DELETE']) {
        const { status } = await call(svc, method, `/api/v1/search?query=${encodeURIComponent(query)}&tz=No/Where`);
        answers.push(`${query} ${status}`);
      }
    }
    for (const path of [
      '/view/',
      '/view/.html',
      '/view/%00.txt',
      '/api/v1/message/%F0/raw',
      '/api/v1/message/x/part/-1',
    ]) {
      answers.push(`${path} ${(await call(svc, 'GET', path)).status}`);
    }
    expect(answers.filter((answer) => !/ (?:200|302|400|404)$/.test(answer))).toEqual([]);
  });
});

describe('the WebSocket at /api/events', () => {
  const opened = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', ...opened };
  let svc: Server & { key: string };
  beforeAll(async () => {
    svc = await startSvc();
  });
  afterAll(() => svc.stop());

  it.each([
    ['a wrong password', basic('svc_test_wrong'), 401],
    ['a proxy', { 'x-forwarded-for': '10.0.0.1' }, 401],
    ['a page that names its origin', { origin: 'https://evil.example' }, 403],
    ['a name that resolves to this machine', { host: 'evil.example' }, 403],
    ['an unknown version', { 'sec-websocket-version': '7' }, 400],
    ['no key of the handshake', { 'sec-websocket-key': '' }, 400],
  ])('refuses %s', async (_, headers, status) => {
    expect((await get(`${svc.url}/api/events`, { ...upgrade, ...headers })).status).toBe(status);
  });

  it('admits a key as the password, ignores messages, and ends one that is too large', async () => {
    const { socket, closed, until, close } = await listen(svc, basic(svc.key));
    expect(await until('stats')).toMatchObject({ Total: expect.any(Number) });
    socket.send('hello');
    await call(svc, 'POST', '/api/v1/send', { From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }] });
    expect(await until('new')).toMatchObject({ To: [{ Address: 'b@example.test' }] });
    socket.send('x'.repeat(2_000));
    expect((await closed)[0]).toBe(1_009);
    await close();
  });

  it('answers requests for another protocol or elsewhere without it, and reads their bodies', async () => {
    const socket = connect(Number(new URL(svc.url).port), '127.0.0.1').setEncoding('utf8');
    const exchange = async (line: string, protocol: string, body = '') => {
      const upgrade = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n`;
      socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${upgrade}Content-Length: ${body.length}\r\n\r\n${body}`);
      return (await once(socket, 'data'))[0];
    };
    const body = JSON.stringify({ From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }] });
    expect(await exchange('POST /api/v1/send', 'h2c', body)).toMatch(/^HTTP\/1\.1 200 .*"ID":"msg_/s);
    expect(await exchange('GET /api/v1/tags', 'websocket')).toMatch(/^HTTP\/1\.1 200 .*\[\]/s);
    expect(await exchange('GET /api/events', 'h2c')).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  it('ends when the server stops', async () => {
    const other = await startSvc();
    const { closed } = await listen(other);
    await other.stop();
    expect((await closed)[0]).toBe(1_001);
  });
});

it('is off by default, and on with SVC_MAILPIT=1', async () => {
  const [off, on] = await Promise.all([
    startDev(['--in-memory']),
    startDev(['--in-memory'], { env: { SVC_MAILPIT: '1' } }),
  ]);
  const statuses = [off, on].map(({ ready }) => get(new URL(LIST, ready.base_url).href, basic(ready.api_key)));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 200]);
  await Promise.all([off.stop(), on.stop()]);
});

it('reads variables of Mailpit, unless a flag is given', async () => {
  const [http, smtp] = [await unusedPort(), await unusedPort()];
  const env = {
    MP_UI_BIND_ADDR: `127.0.0.1:${http}`,
    MP_SMTP_BIND_ADDR: '127.0.0.1:1',
    MP_MAX_MESSAGES: '1',
    MP_SMTP_AUTH: 'ada:secret bob:secret',
  };
  const args = ['dev', '--in-memory', '--json', '--mailpit', '--smtp-port', String(smtp), '--api-key', 'svc_test_x'];
  const child = start(args, { env });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  expect(JSON.parse(line)).toMatchObject({ smtp: { port: smtp }, base_url: `http://127.0.0.1:${http}/v1` });
  const server = { url: `http://127.0.0.1:${http}`, smtpPort: smtp, stop: async () => child.kill() };
  await expect(sender(server).send('\r\nHi', { from: 'a@example.test', to: ['b@example.test'] })).rejects.toThrow(
    '530',
  );
  const message = { From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }] };
  const { until, close } = await listen(server);
  for (const _ of [1, 2]) expect((await call(server, 'POST', '/api/v1/send', message)).status).toBe(200);
  await until('delete');
  expect((await call(server, 'GET', LIST)).body.total).toBe(1);
  await close();
  child.kill();
  await once(child, 'exit');
});

it('names the variable of Mailpit that it cannot use', async () => {
  const run = (env: Record<string, string>) => runSvc(['dev', '--mailpit', '--in-memory'], { env });
  expect(await run({ MP_UI_BIND_ADDR: 'unix:/tmp/x.sock' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('MP_UI_BIND_ADDR must be HOST:PORT'),
  });
  const { stderr } = await run({ MP_UI_BIND_ADDR: '127.0.0.1:1', MP_SMTP_BIND_ADDR: '0.0.0.0:1' });
  expect(stderr).toContain('must have the same host');
});

it('needs no key from anyone with --mailpit-without-keys', async () => {
  const svc = await startSvc(['--mailpit-without-keys']);
  expect(await get(svc.url + LIST, { 'x-forwarded-for': '10.0.0.1' })).toMatchObject({ status: 200 });
  expect(await get(svc.url + LIST, { host: 'evil.example' })).toMatchObject({ status: 403 });
  await svc.stop();
});

it.each([
  ['--mailpit', ['--mailpit'], {}],
  ['--mailpit-without-keys', ['--mailpit-without-keys'], {}],
  ['SVC_MAILPIT=1', [], { SVC_MAILPIT: '1' }],
])('cannot be combined with --no-control: %s', async (_, flags, env) => {
  const { code, stderr } = await runSvc(['dev', ...flags, '--no-control'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('--mailpit cannot be combined with --no-control');
});

it('always needs a key on a server for a team, whose workspace it is limited to', async () => {
  const app = await startApp({ access: 'team', mailpit: 'owner' });
  expect((await app.call('POST', '/_svc/workspaces', { name: 'one' })).status).toBe(201);
  const { json } = await app.call('POST', '/_svc/api-keys', { name: 'one', environment: 'test', workspace: 'one' });
  const workspace = basic(json.data.key);
  const message = { From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }] };
  const { baseUrl } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  const { origin } = new URL(baseUrl);
  expect(await get(origin + LIST)).toEqual({ status: 401, text: 'Unauthorized.\n' });
  expect((await app.call('POST', '/api/v1/send', message)).status).toBe(200);
  expect((await app.call('POST', '/api/v1/send', message, workspace)).status).toBe(200);
  expect(JSON.parse((await get(origin + LIST, workspace)).text)).toMatchObject({ total: 1 });
  expect((await app.call('PUT', '/api/v1/chaos', {}, workspace)).status).toBe(200);
  expect((await app.call('PUT', '/api/v1/chaos', { Sender: { Probability: 5 } }, workspace)).status).toBe(200);
  const ofOne = { smtp: 'mail', workspace: 'one' };
  expect((await app.read('/_svc/faults')).faults).toEqual([expect.objectContaining(ofOne)]);
  const ordinary = { name: 'CI', environment: 'test', rate_limit: 60 };
  const { key } = (await app.call('POST', '/v1/api-keys', ordinary)).json.data;
  expect((await app.call('DELETE', '/api/v1/messages', undefined, basic(key))).status).toBe(200);
  expect(JSON.parse((await get(origin + LIST, workspace)).text)).toMatchObject({ total: 1 });
  const server = { url: origin, smtpPort: 0, stop: () => app.close() };
  const events = await listen(server, workspace);
  expect(await events.until('stats')).toMatchObject({ Total: 1 });
  expect((await app.call('POST', '/api/v1/send', message)).status).toBe(200);
  expect((await app.call('POST', '/api/v1/send', message, workspace)).status).toBe(200);
  await events.until('stats');
  expect((await app.call('DELETE', '/api/v1/messages')).status).toBe(200);
  await events.until('stats', ({ Total }) => Total === 0);
  expect(events.all.map(({ Type }) => Type)).toEqual(['stats', 'new', 'stats', 'prune', 'truncate', 'stats']);
  expect((await app.call('DELETE', `/v1/api-keys/${json.data.id}`)).status).toBe(204);
  expect((await events.closed)[0]).toBe(1_008);
  await app.closeClean();
});
