import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { exchange } from '../../support/servers/raw-socket.js';

let app: TestApp;
let origin: string;

beforeAll(async () => {
  app = await startApp();
  const { baseUrl } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  origin = new URL(baseUrl).origin;
});

afterAll(() => app.closeClean());

const authorization = `Bearer ${TEST_KEY}`;

it.each([
  ['a list', 'GET', '/v1/emails', 200, { authorization }],
  ['a call without a key', 'GET', '/v1/emails', 401, {}],
  ['a page of another origin', 'GET', '/v1/emails', 403, { origin: 'http://evil.example' }],
  ['an unknown path', 'GET', '/nowhere', 404, {}],
  ['a path that cannot be decoded', 'GET', '/v1/emails/%ZZ', 400, { authorization }],
  ['a refused body', 'POST', '/v1/emails', 400, { authorization }],
  ['the health', 'GET', '/_svc/health', 200, {}],
  ['the API description', 'GET', '/v1/openapi.json', 200, {}],
  ['a wrong tracking link', 'GET', '/t/c/x', 404, {}],
])('the JSON of %s may not be sniffed, cached, or loaded by other pages', async (_, method, path, status, headers) => {
  const response = await fetch(origin + path, { method, headers: headers as Record<string, string> });
  await response.text();
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  });
});

it('the answer to bytes that are not HTTP has the same headers', async () => {
  const [response] = await exchange(Number(new URL(origin).port), ['GARBAGE\r\n\r\n']);
  expect(response?.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  });
});

it('no page of another origin can load the API reference, so none can detect svc', async () => {
  for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']) {
    const { headers, body } = await fetch(origin + path);
    await body?.cancel();
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
  }
});

it('a web mail client can load the tracking pixel', async () => {
  const { json } = await app.call('POST', '/v1/emails', {
    to: 'ada@example.test',
    from: 'a@b.test',
    subject: 'Hi',
    html: '<p>Hi</p>',
  });
  const { payload } = await app.http.inject({
    url: `/_svc/emails/${json.data.id}/delivered`,
    headers: { host: 'localhost', authorization },
  });
  const pixel = /src="([^"]+)"/.exec(payload)?.[1] ?? '';
  const { status, headers } = await fetch(pixel, { headers: { origin: 'https://webmail.example' } });
  expect({ status, policy: headers.get('cross-origin-resource-policy') }).toEqual({
    status: 200,
    policy: 'cross-origin',
  });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});
