import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.closeClean());

it('accepts 1,536 HTTP connections at the same time, and closes one more', async () => {
  expect(app.http.server.maxConnections).toBe(1_536);
  // Fewer, so that the test does not need as many descriptors.
  app.http.server.maxConnections = 2;
  const anywhere = { host: '127.0.0.1', port: 0 };
  const { baseUrl } = await app.listen({ http: anywhere, smtp: anywhere });
  const open = () => connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {});
  const call = 'GET /_svc/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const sockets = [open(), open()];
  for (const socket of sockets) {
    socket.write(call);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  }

  const excess = open();
  let answer = '';
  excess.on('data', (chunk) => {
    answer += chunk;
  });
  excess.write(call);
  await once(excess, 'close');

  expect(answer).toBe('');
  for (const socket of sockets) socket.destroy();
});

it('answers a silent connection with 421, and an incomplete request with 400', async () => {
  expect(app.http.server.headersTimeout).toBeLessThan(30_000);
  const anywhere = { host: '127.0.0.1', port: 0 };
  const { baseUrl } = await app.listen({ http: anywhere, smtp: anywhere });
  const timeOut = async (sent: string) => {
    const accepted = once(app.http.server, 'connection');
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    const [connection] = await accepted;
    if (sent !== '')
      await Promise.all([once(connection, 'data'), once(socket, 'connect').then(() => socket.write(sent))]);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    app.http.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection);
    await once(socket, 'close');
    return answer;
  };

  expect(await timeOut('')).toMatch(/^421 4\.3\.2 This is the HTTP port of svc\./);
  expect(await timeOut('GET /v1')).toMatch(/^HTTP\/1\.1 400 /);
});
