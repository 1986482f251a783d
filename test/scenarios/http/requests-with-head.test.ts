import { afterAll, beforeAll, expect, it } from 'vitest';
import { controlRoutes, routes } from '../../../src/contract/vocabulary/routes.js';
import { startInboxApp } from '../../support/inbox/inbox-app.js';
import { startApp, TEST_KEY } from '../../support/servers/app.js';

type InboxApp = Awaited<ReturnType<typeof startInboxApp>>;

let app: InboxApp;
let email: string;
beforeAll(async () => {
  app = await startInboxApp();
  const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  email = (await app.call('POST', '/v1/emails', body)).json.data.id;
  await app.call('GET', `/_svc/emails/${email}`);
});
afterAll(() => app.closeClean());

const authorization = `Bearer ${TEST_KEY}`;

function pathsOf(prefix: string, of: Record<string, { method: string; path: string }>): string[] {
  return Object.values(of).flatMap(({ method, path }) => (method === 'GET' ? [prefix + path] : []));
}

it.each([...pathsOf('/v1', routes), ...pathsOf('/_svc', controlRoutes), '/v1/openapi.json', '/docs', '/inbox'])(
  'answers HEAD %s as GET, without a body',
  async (path) => {
    const url = app.origin + path.replace('{id}', email).replace(/\{\w+\}/, '0');
    const get = await fetch(url, { headers: { authorization } });
    const head = await fetch(url, { method: 'HEAD', headers: { authorization } });

    const type = get.headers.get('content-type');
    expect([head.status, head.headers.get('content-type')]).toEqual([get.status, type]);
    expect(await head.text()).toBe('');
    await get.body?.cancel();
  },
);

it('does not start a stream for HEAD', async () => {
  const webhooks = () => app.read('/_svc/webhooks').then(({ webhooks: all }) => all.length);
  const before = await webhooks();

  const head = await app.call('HEAD', '/_svc/listen?forward_to=http://127.0.0.1:9/');

  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(await webhooks()).toBe(before);
});

it('does not make the archive for HEAD of an export', async () => {
  const waiting = await startApp({ deliveryDelayMs: 200 });
  waiting.clock.freeze();
  const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  const { id } = (await waiting.call('POST', '/v1/emails', body)).json.data;
  const statusAfter = async (method: string) => {
    const { status, headers } = await waiting.call(method, '/_svc/export');
    expect([status, headers['content-type']]).toEqual([200, 'application/gzip']);
    return (await waiting.read(`/v1/emails/${id}`)).status;
  };

  // An export performs pending deliveries first.
  expect(await statusAfter('HEAD')).toBe('sent');
  expect(await statusAfter('GET')).toBe('delivered');
  await waiting.closeClean();
});

it('needs a key for HEAD where GET needs one', async () => {
  expect((await fetch(`${app.origin}/v1/emails`, { method: 'HEAD' })).status).toBe(401);
});

it.each([
  ['any type', { accept: '*/*' }],
  ['types that a client for APIs accepts', { accept: 'application/json, text/plain, */*' }],
  ['no type', {}],
])('answers / to programs that accept %s', async (_, headers) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers: answered } = await app.http.inject({
      method,
      url: '/',
      headers: { host: 'localhost', ...headers },
    });
    expect([method, statusCode, answered['content-type']]).toEqual([method, 200, 'text/plain; charset=utf-8']);
  }
});
