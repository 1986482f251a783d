import { afterEach, expect, it } from 'vitest';
import type { RequestLine } from '../../../src/http/operations/operations.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let lines: RequestLine[];
afterEach(() => app.closeClean());

async function start(trustedProxies?: string[]): Promise<void> {
  lines = [];
  app = await startApp({
    ...{ access: 'team', onRequest: (line) => lines.push(line) },
    ...(trustedProxies && { trustedProxies }),
  });
}

/** Calls the service from an address, as a proxy does. Returns the remaining calls, and the client in the log. */
async function callFrom(remoteAddress: string, forwardedFor: string) {
  const { headers } = await app.http.inject({
    url: '/v1/emails',
    remoteAddress,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'x-forwarded-for': forwardedFor },
  });
  return { limit: headers['x-ratelimit-limit'], client: lines.at(-1)?.client };
}

it('believes only a trusted proxy', async () => {
  await start(['10.0.0.0/8']);
  expect(await callFrom('10.1.2.3', '203.0.113.7')).toMatchObject({ client: '203.0.113.7' });
  // What the client itself wrote is on the left.
  expect(await callFrom('10.1.2.3', '198.51.100.1, 203.0.113.7')).toMatchObject({ client: '203.0.113.7' });
  expect(await callFrom('192.0.2.1', '203.0.113.7')).toMatchObject({ client: '192.0.2.1' });
});

it('believes no proxy by default', async () => {
  await start();
  expect(await callFrom('10.1.2.3', '203.0.113.7')).toMatchObject({ client: '10.1.2.3' });
});

it('applies the rate limit to a client that calls itself a part of the server', async () => {
  await start(['10.0.0.0/8']);
  expect((await callFrom('10.1.2.3', 'in-process')).limit).toBeDefined();
});
