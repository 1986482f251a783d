import { once } from 'node:events';
import { request } from 'node:http';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RequestLine } from '../../../src/http/operations/operations.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hello', html: '<p>Hi</p>' };

let app: TestApp;
let receiver: Receiver;
let origin: string;
let smtp: { host: string; port: number };
let lines: RequestLine[];

beforeEach(async () => {
  lines = [];
  receiver = await startReceiver();
  app = await startApp({
    ...{ access: 'team', plan: 'none', allowedWebhookHosts: ['127.0.0.1'] },
    onRequest: (line) => lines.push(line),
  });
  const listening = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  ({ smtp } = listening);
  origin = new URL(listening.baseUrl).origin;
});
afterEach(async () => {
  await app.closeClean();
  await receiver.close();
});

const probe = async (path: string) => {
  const response = await fetch(origin + path, { headers: { connection: 'close' } });
  return [response.status, await response.text()];
};
const metrics = async (key = TEST_KEY) =>
  app.http.inject({ url: '/metrics', headers: { host: 'localhost', authorization: `Bearer ${key}` } });

it('answers probes without a key, and metrics only with a key without a workspace', async () => {
  expect(await probe('/healthz')).toEqual([200, 'ok\n']);
  expect(await probe('/readyz')).toEqual([200, 'ready\n']);
  expect((await probe('/metrics'))[0]).toBe(401);
  const { json } = await app.call('POST', '/_svc/workspaces', { name: 'shop' });
  expect((await metrics(json.data.api_key)).statusCode).toBe(403);
  expect((await metrics()).headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
});

it('counts messages, webhook attempts and connections', async () => {
  await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  await app.call('POST', '/v1/emails', EMAIL);
  await app.call('POST', '/v1/emails', { ...EMAIL, to: 'nobody' });
  const transport = createTransport({ ...smtp, auth: { user: 'any', pass: TEST_KEY } });
  await transport.sendMail({ ...EMAIL, text: 'Hi' });
  await app.call('POST', '/_svc/settle', {});
  await receiver.until(2);
  await app.drain();
  const open = await openSmtp(smtp);
  await open.reply();

  // The entry of an earlier request in the log may still be written.
  await expect
    .poll(async () => (await metrics()).body.split('\n'))
    .toEqual(
      expect.arrayContaining([
        'svc_messages_total{source="rest",outcome="accepted"} 1',
        'svc_messages_total{source="rest",outcome="refused"} 1',
        'svc_messages_total{source="smtp",outcome="accepted"} 1',
        'svc_ingest_seconds_count{source="smtp"} 1',
        'svc_webhook_attempts_total{outcome="delivered"} 2',
        'svc_webhook_attempt_seconds_count 2',
        'svc_jobs_queued{queue="webhooks"} 0',
        'svc_queue_oldest_seconds{queue="webhooks"} 0',
        'svc_unparsed_messages 0',
        'svc_pending_writes 0',
        'svc_database_up 1',
        'svc_connections{protocol="smtp"} 1',
      ]),
    );
  open.socket.end();
  const { body } = await metrics();
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

it('reports each response in one line without its query, body and key', async () => {
  await app.call('POST', '/v1/emails', EMAIL);
  await app.call('GET', '/v1/emails?to=ada@example.test');
  expect(lines).toMatchObject([
    { method: 'POST', path: '/v1/emails', status: 201, workspace: null, error: null },
    { method: 'GET', path: '/v1/emails', status: 200 },
  ]);
  expect(lines[0]?.request_id).toMatch(/^req_/);
  expect(lines[0]?.key_id).toMatch(/^key_/);
  expect(JSON.stringify(lines)).not.toMatch(/ada@|svc_test_|Hello/);
});

it('reports the pattern of a route instead of addresses and tokens in its path', async () => {
  const paths = [
    ['DELETE', '/_svc/suppressions/ada@example.test', '/_svc/suppressions/{address}'],
    ['GET', '/v1/emails/msg_secret', '/v1/emails/{id}'],
    ['GET', '/t/c/token-secret', '/t/c/{token}'],
    ['GET', '/unknown/ada@example.test', '/unknown/…'],
    ['GET', '/ada@example.test', '/…'],
    ['GET', '/svc_test_0123456789', '/…'],
    ['GET', '/v1/unknown/ada@example.test', '/v1/…'],
    ['GET', '/inbox', '/inbox'],
    ['GET', '/', '/'],
  ] as const;
  for (const [method, path] of paths) await app.call(method, path);
  expect(lines.map(({ path }) => path)).toEqual(paths.map(([, , logged]) => logged));
});

it('is first not ready, then ends waits and refuses connections', async () => {
  const waiting = app.call('POST', '/_svc/emails/wait', { query: 'subject:never', timeout_ms: 60_000 });
  const session = await openSmtp(smtp);
  await session.reply();
  const closed = app.close({ acceptMs: 2_000, finishMs: 5_000 });
  expect(await probe('/readyz')).toEqual([503, 'the server is about to stop\n']);
  expect(await probe('/healthz')).toEqual([200, 'ok\n']);
  expect((await app.call('POST', '/v1/emails', EMAIL)).status).toBe(201);

  expect((await waiting).status).toBeGreaterThanOrEqual(200);
  await closed;
  await expect(probe('/healthz')).rejects.toThrow('fetch failed');
  expect(await session.reply()).toBe('421 4.3.2 the server is stopping; try again later');
  expect(await session.reply()).toBeUndefined();
});

it('finishes a request whose body is still arriving when new connections are refused', async () => {
  const body = JSON.stringify(EMAIL);
  const sending = request(`${origin}/v1/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answered = once(sending, 'response');
  sending.write(body.slice(0, 10));
  // The server has the connection once it has answered another one.
  await probe('/healthz');
  const closed = app.close({ finishMs: 30_000 });
  await expect(probe('/healthz')).rejects.toThrow('fetch failed');
  sending.end(body.slice(10));
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(201);
  await closed;
});

it('has no probes and no metrics on a local server', async () => {
  const local = await startApp();
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    expect((await local.http.inject({ url, headers: { host: 'localhost' } })).statusCode).toBe(404);
  }
  await local.closeClean();
});
