import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests clients that announce large bodies and do not send them. */

const LARGEST = 40 * 1024 * 1024;
const LARGE = 2 * 1024 * 1024;

let app: TestApp;
let port: number;
let clients: Socket[];
/** The server's sockets, in the order of the connections. */
let accepted: Socket[];

beforeEach(async () => {
  app = await startApp({ plan: 'none' });
  const anywhere = { host: '127.0.0.1', port: 0 };
  port = Number(new URL((await app.listen({ http: anywhere, smtp: anywhere })).baseUrl).port);
  clients = [];
  accepted = [];
  app.http.server.on('connection', (socket) => accepted.push(socket));
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await app.closeClean();
});

/** Sends the head of a call and the beginning of its body. */
async function begin(bytes: number | 'chunked', key: string = TEST_KEY): Promise<Socket> {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const request = once(app.http.server, 'request');
  const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
  const [length, first] =
    bytes === 'chunked' ? ['Transfer-Encoding: chunked', '1\r\n{\r\n'] : [`Content-Length: ${bytes}`, '{'];
  client.write(`POST /v1/emails HTTP/1.1\r\n${head}\r\n${length}\r\n\r\n${first}`);
  await request;
  return client;
}

const send = async (html: string) => {
  const email = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html };
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(email),
  });
  return status;
};

it('large bodies share 160 MiB: more of them wait, small ones do not', async () => {
  const [first] = [await begin(LARGEST), await begin(LARGEST), await begin(LARGEST), await begin(LARGEST)];
  const large = send('x'.repeat(LARGE));
  const others = async () => {
    for (let count = 0; count < 50; count += 1) expect(await send('x')).toBe(201);
    return 'others';
  };

  expect(await Promise.race([large, others()])).toBe('others');
  first?.destroy();
  expect(await large).toBe(201);
});

it('one that waits and gives up leaves its place to the next', async () => {
  const held = [await begin(LARGEST), await begin(LARGEST), await begin(LARGEST), await begin(LARGEST)];
  const waiting = await begin(LARGEST);
  const large = send('x'.repeat(LARGE));
  waiting.destroy();
  held[0]?.destroy();

  expect(await large).toBe(201);
});

it('a chunked body that has ended takes only its size of them', async () => {
  await app.call('POST', '/_svc/faults', { http: 'POST /v1/emails', delay: '1h', times: 4 });
  for (let count = 1; count <= 4; count += 1) {
    const client = await begin('chunked');
    client.write(`1\r\n}\r\n0\r\n\r\n`);
    await expect.poll(async () => (await app.read('/_svc/faults')).faults[0].hits).toBe(count);
  }

  expect(await send('x'.repeat(LARGE))).toBe(201);
});

it('a body that is refused before it is read takes no part of them', async () => {
  for (let count = 0; count < 6; count += 1) await begin(LARGEST, 'svc_test_unknown');
  for (let count = 0; count < 6; count += 1) await begin(LARGEST + 1);

  expect(await send('x'.repeat(LARGE))).toBe(201);
});

it('a connection whose client stops in the middle of a body is closed after 60 seconds', async () => {
  const client = await begin(1_000);
  const [socket] = accepted as [Socket];
  await expect.poll(() => socket.timeout).toBe(60_000);
  // As when the time is over.
  socket.emit('timeout');
  await once(client, 'close');
  expect(app.http.server.requestTimeout).toBe(3_600_000);
});
