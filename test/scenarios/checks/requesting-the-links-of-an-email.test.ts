import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LinkChecks } from '../../../src/contract/control/emails/check.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const LOOPBACK = { host: '127.0.0.1', port: 0 };

let app: TestApp;
let server: Server;
let base: string;
/** Requests as "METHOD path". */
let requests: string[];

const respond: RequestListener = ({ method, url, headers }, response) => {
  requests.push(`${method} ${url}${headers.authorization || headers.cookie ? ' with credentials' : ''}`);
  if (url === '/get-only' && method === 'HEAD') response.writeHead(405);
  else if (url === '/moved') response.writeHead(302, { location: 'https://elsewhere.example/' });
  else response.writeHead(url === '/gone' ? 410 : 200);
  response.end();
};

beforeEach(async () => {
  requests = [];
  app = await startApp();
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await app.closeClean();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function checkLinks(urls: string[], remote?: boolean): Promise<LinkChecks> {
  const html = urls.map((url, index) => `<a href="${url}">Link ${index}</a>`).join(' ');
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html };
  const { id } = (await app.call('POST', '/v1/emails', email)).json.data;
  const { status, json } = await app.call('POST', `/_svc/emails/${id}/checks/links`, { remote });
  expect(status).toBe(200);
  return json.data;
}

it('requests each link to this machine once, without credentials and redirects', async () => {
  const { links, ok, failed } = await checkLinks([`${base}/ok`, `${base}/ok`, `${base}/gone`, `${base}/moved`]);

  expect(links).toEqual([
    { url: `${base}/ok`, result: 'ok', status: 200, details: '' },
    { url: `${base}/gone`, result: 'failed', status: 410, details: 'The server responds with 410.' },
    { url: `${base}/moved`, result: 'ok', status: 302, details: 'Redirects to https://elsewhere.example/' },
  ]);
  expect({ ok, failed }).toEqual({ ok: 2, failed: 1 });
  expect(requests.sort()).toEqual(['HEAD /gone', 'HEAD /moved', 'HEAD /ok']);
});

it('requests a link with GET if its server does not support HEAD', async () => {
  expect((await checkLinks([`${base}/get-only`])).links).toMatchObject([{ result: 'ok', status: 200 }]);
  expect(requests).toEqual(['HEAD /get-only', 'GET /get-only']);
});

it('requests no other machine unless this is allowed, and never a private network', async () => {
  const urls = ['https://shop.example/a', 'http://10.0.0.1/b', 'http://169.254.169.254/c', 'http://[fd00::1]/d'];

  const local = await checkLinks(urls);
  expect(local.links.map(({ details }) => details)).toEqual(Array(4).fill('This link leads to another machine.'));

  const remote = await checkLinks(urls.slice(1), true);
  expect(remote.links.map(({ result, details }) => `${result}: ${details}`)).toEqual([
    'failed: No response: 10.0.0.1 is in a private network (10.0.0.1).',
    'failed: No response: 169.254.169.254 is in a private network (169.254.169.254).',
    'failed: No response: fd00::1 is in a private network (fd00::1).',
  ]);
});

it('reports a link that no server answers', async () => {
  server.closeAllConnections();
  server.close();
  const { links } = await checkLinks([`${base}/ok`]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  expect(links).toMatchObject([{ result: 'failed', status: null, details: expect.stringContaining('ECONNREFUSED') }]);
});

it('does not record a click of its own tracked links', async () => {
  await app.listen({ http: LOOPBACK, smtp: LOOPBACK });
  const { base_url } = await app.read('/_svc/info');
  const tracked = `${base_url.replace(/\/v1$/, '')}/t/c/unknown`;
  const { links } = await checkLinks([tracked, tracked.replace('127.0.0.1', 'localhost')]);
  expect(links).toMatchObject([{ result: 'skipped' }, { result: 'skipped' }]);
});
