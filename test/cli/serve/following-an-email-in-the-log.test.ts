import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hello', html: '<p>Hi</p>' };

let directory: ReturnType<typeof temporaryDirectory>;
let receiver: Receiver;
let server: TeamServer;
beforeEach(async () => {
  directory = temporaryDirectory();
  receiver = await startReceiver();
  server = await startServe(['--data-dir', directory.path, '--allow-webhook-host', '127.0.0.1']);
});
afterEach(async () => {
  await server.stop();
  await receiver.close();
  directory.remove();
});

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.ready.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return { id: data.id, requestId: response.headers.get('x-request-id') };
}

const lineOf = (requestId: string | null) =>
  server.logged(({ msg, request_id }) => msg === 'request' && request_id === requestId);

it('names the trace and the ID of the caller, the email, and its webhook attempts', async () => {
  await post('/webhooks', { url: receiver.url, events: ['email.sent'] });
  const sent = await post('/emails', EMAIL, {
    traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    'x-request-id': 'ci/42:a',
  });
  expect(sent.requestId).toMatch(/^req_/);
  expect(await lineOf(sent.requestId)).toMatchObject({
    trace_id: TRACE,
    client_request_id: 'ci/42:a',
    email_id: sent.id,
  });
  expect(await server.logged(({ msg }) => msg === 'webhook attempt')).toMatchObject({
    level: 'info',
    email_id: sent.id,
    event: 'email.sent',
    attempt: 1,
    status: 200,
    trace_id: TRACE,
    client_request_id: 'ci/42:a',
  });
  const [received] = receiver.received;
  expect(received?.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));

  const transport = createTransport({ ...server.ready.smtp, auth: { user: 'any', pass: ADMIN_KEY } });
  await transport.sendMail({ ...EMAIL, text: 'Hi' });
  const session = await server.logged(({ msg, accepted }) => msg === 'smtp session' && accepted === 1);
  expect(session.email_ids).toEqual([expect.stringMatching(/^msg_/)]);
  expect(session.email_ids).not.toContain(sent.id);
  expect(server.log.join('\n')).not.toMatch(/ada@|Hello/);
});

it.each([
  ['a trace of zeros', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }],
  ['an invalid version', { traceparent: `ff-${TRACE}-00f067aa0ba902b7-01` }],
  ['a long ID', { 'x-request-id': 'x'.repeat(129) }],
  ['an address as ID', { 'x-request-id': 'ada@example.test' }],
])('leaves out %s', async (_, headers) => {
  const { requestId } = await post('/emails', EMAIL, headers);
  expect(await lineOf(requestId)).toMatchObject({ trace_id: null, client_request_id: null });
});

it('is of a server that the health check of the container finds without its file', async () => {
  const [, list = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  const [command = '', ...args] = JSON.parse(list) as string[];
  const healthOf = async (url: string) => {
    const env = { PATH: process.env.PATH, SVC_DATA_DIR: '/nowhere', SVC_HEALTH_URL: url };
    const [code] = await once(spawn(command, args, { env, stdio: 'ignore' }), 'exit');
    return code;
  };
  const { origin } = new URL(server.ready.base_url);
  expect(await healthOf(origin)).toBe(0);
  await server.stop();
  expect(await healthOf(origin)).toBe(1);
});
