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
