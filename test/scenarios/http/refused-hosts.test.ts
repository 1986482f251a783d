import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { exchange } from '../../support/servers/raw-socket.js';

let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await startApp({ allowedHosts: ['mail.internal'] });
  const { baseUrl } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  port = Number(new URL(baseUrl).port);
});

afterAll(() => app.closeClean());

async function statusOf(...hosts: string[]): Promise<number | undefined> {
  const fields = hosts.map((host) => `Host: ${host}`);
  const head = ['GET /v1/emails HTTP/1.1', ...fields, `Authorization: Bearer ${TEST_KEY}`, 'Connection: close', '', ''];
  return (await exchange(port, [head.join('\r\n')]))[0]?.status;
}

it.each([
  'evil@127.0.0.1',
  'evil:secret@localhost',
  '127.0.0.1#evil',
  '127.0.0.1?evil',
  '127.0.0.1/evil',
  '127.0.0.1\\evil',
  '/evil',
  '\\evil',
  '127.0.0.1:8025/..',
  '127.0.0.1:80:80',
  '127.0.0.1:x',
  'localhost localhost',
  '[::1',
  '::1',
  '',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '169.254.169.254',
  '\x00localhost',
])('the Host %j is refused', async (host) => {
  expect([400, 403]).toContain(await statusOf(host));
});

it.each([
  'localhost',
  'LOCALHOST',
  'localhost:9',
  '127.0.0.1',
  '127.9.9.9:1',
  '[::1]',
  '[::1]:8025',
  'mail.internal',
  '2130706433',
  '0x7f.1',
])('the Host %j is accepted', async (host) => {
  expect(await statusOf(host)).toBe(200);
});

it('two Host headers are 400, even with the same value', async () => {
  expect(await statusOf('localhost', 'localhost')).toBe(400);
  expect(await statusOf('localhost', 'evil.example')).toBe(400);
  expect(await statusOf('evil.example', 'localhost')).toBe(400);
});

it.each(['X-Forwarded-Host: localhost', 'Forwarded: host=localhost'])(
  'the header %s does not change the client’s address',
  async (field) => {
    const head = ['GET /v1/emails HTTP/1.1', 'Host: evil.example', field, `Authorization: Bearer ${TEST_KEY}`, '', ''];
    expect((await exchange(port, [head.join('\r\n')]))[0]?.status).toBe(403);
  },
);

const AUTHORIZED = `Authorization: Bearer ${TEST_KEY}`;

it.each([
  ['http://evil.example/v1/emails', 403],
  ['HTTP://evil.example/v1/emails', 403],
  ['https://evil.example:8025/v1/emails', 403],
  ['http://localhost@evil.example/v1/emails', 403],
  ['http://localhost/v1/emails', 200],
  ['http://127.0.0.1:9/v1/emails', 200],
])('the request target %s is answered with %d', async (target, status) => {
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', AUTHORIZED, 'Connection: close', '', ''];
  expect((await exchange(port, [head.join('\r\n')]))[0]?.status).toBe(status);
});

it('names the missing Host header', async () => {
  const head = ['GET /v1/emails HTTP/1.1', AUTHORIZED, 'Connection: close', '', ''];
  const [answer] = await exchange(port, [head.join('\r\n')]);
  expect(answer?.status).toBe(400);
  expect(answer?.body).toContain('The request has no Host header.');
});

it.each(['FOO', 'QUERY'])('answers 404 to the method %s, which Node.js may not know', async (method) => {
  const [answer] = await exchange(port, [
    [`${method} /v1/emails HTTP/1.1`, 'Host: localhost', AUTHORIZED, 'Connection: close', '', ''].join('\r\n'),
  ]);
  expect(answer?.status).toBe(404);
  expect(answer?.body).toContain('GET /v1/openapi.json');
});

it('reports a path that cannot be decoded with its own message', async () => {
  const { status, json } = await app.call('GET', '/v1/emails/%ff');
  expect({ status, message: json.error.message }).toEqual({
    status: 400,
    message: 'The path "/v1/emails/%ff" contains an invalid percent-encoding.',
  });
});

it.each(['emails', 'templates', 'webhooks', 'nothing'])(
  'shortens a long ID in the message about /v1/%s',
  async (list) => {
    const { status, json } = await app.call(
      list === 'webhooks' ? 'DELETE' : 'GET',
      `/v1/${list}/${'x'.repeat(15_000)}`,
    );
    expect(status).toBe(404);
    expect(json.error.message.length).toBeLessThan(400);
  },
);
