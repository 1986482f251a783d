import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { type Listening, remoteEnv, startListening } from '../../support/cli/listening.js';
import { hmacByPython } from '../../support/cli/tools.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { data, request, resetServer } from '../../support/servers/server-calls.js';

describe('svc webhooks listen with a remote service', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let service: DevServer;
  let env: Record<string, string>;
  let receiver: Receiver;
  let listening: Listening | undefined;

  beforeAll(async () => {
    folder = temporaryDirectory();
    service = await startDev(['--data-dir', join(folder.path, 'service')]);
    env = remoteEnv(service.ready, join(folder.path, 'here'));
  });
  beforeEach(async () => {
    await resetServer(service.ready);
    receiver = await startReceiver();
  });

  afterEach(async () => {
    listening?.child.kill('SIGKILL');
    listening = undefined;
    await receiver.close();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    folder.remove();
  });

  async function listen(args: string[] = [], json = true, forwardTo = receiver.url): Promise<Listening> {
    const port = await freePort();
    const address = ['--public-url', `http://127.0.0.1:${port}/tunnel?key=1`, '--port', String(port)];
    listening = await startListening(['--forward-to', forwardTo, ...address, ...args], { env, json });
    return listening;
  }

  const webhooks = async () => (await data(service.ready, '/v1/webhooks')).webhooks;

  it('creates a webhook there, and passes its bytes and headers on', async () => {
    const { ready, until } = await listen(['-H', 'X-Extra: kept', '--events', 'email.sent,email.delivered']);

    const [webhook] = await webhooks();
    expect(webhook).toMatchObject({ id: ready.webhook_id, url: ready.public_url, active: true });
    expect(webhook.events).toEqual(['email.sent', 'email.delivered']);

    await send('ada@example.test');
    const [sent, delivered] = await receiver.until(2);

    for (const { body, headers, path } of [sent!, delivered!]) {
      expect(headers['x-service-signature']).toBe(hmacByPython(body, ready.secret));
      expect(headers).toMatchObject({
        'x-extra': 'kept',
        'x-service-attempt': '1',
        'content-type': 'application/json',
      });
      expect(headers.host).toBe(new URL(receiver.url).host);
      expect(path).toBe('/hooks');
    }
    const [line] = await until(({ type }) => type === 'email.sent');
    expect(line).toMatchObject({ event: 'attempt', status: 200, attempt: 1, max_attempts: 4, url: receiver.url });
    expect(line.payload).toBe(sent!.body.toString());
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('removes the webhook on %s and exits with %i', async (signal, code) => {
    const { stop } = await listen();
    expect(await webhooks()).toHaveLength(1);

    expect(await stop(signal)).toEqual({ code, stderr: '' });

    expect(await webhooks()).toEqual([]);
  });

  it('answers the service with the receiver’s status, so that the service retries', async () => {
    await receiver.close();
    receiver = await startReceiver((response, _, index) =>
      response.writeHead(index === 0 ? 503 : 200).end(index === 0 ? 'busy now' : 'ok'),
    );
    const { until } = await listen(['--events', 'email.sent']);

    await send('ada@example.test');
    await until(({ status }) => status === 503);
    await request(service.ready, '/_svc/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: '10s' }),
    });
    const [again] = await until(({ attempt }) => attempt === 2);

    expect(again).toMatchObject({ status: 200, attempt: 2 });
    const [first, second] = await receiver.until(2);
    expect(second!.body.equals(first!.body)).toBe(true);
    const { deliveries } = await data(service.ready, '/_svc/deliveries');
    expect(deliveries).toMatchObject([{ state: 'succeeded', attempts: 2, status: 200 }]);
  });

  it('answers 502 when no receiver listens here, and reports that', async () => {
    const closed = await freePort();
    const { until } = await listen(['--events', 'email.sent'], false, `:${closed}/x`);

    await send('ada@example.test');

    const seen = await until((line) => /ECONNREFUSED/.test(line));
    expect(seen.at(-1)).toContain(`no server is listening on localhost:${closed}`);
    // The service has the answer a moment later; time advances once it has recorded it.
    await data(service.ready, '/_svc/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"1s"}',
    });
    const { deliveries } = await data(service.ready, '/_svc/deliveries');
    expect(deliveries).toMatchObject([{ state: 'pending', status: 502 }]);
  });

  it.each([
    ['a wrong signature', { 'x-service-signature': 'a'.repeat(64) }],
    ['none', {}],
  ])('refuses requests with %s with 401, and reports that', async (_, headers) => {
    const { ready, next } = await listen();

    const answer = await fetch(ready.receiver, { method: 'POST', headers, body: '{"type":"email.sent"}' });

    expect(answer.status).toBe(401);
    expect(await next()).toMatchObject({ event: 'refused', reason: expect.stringContaining('signature') });
    expect(receiver.received).toEqual([]);
  });

  it('passes on events for the recipients that --to names', async () => {
    const { until } = await listen(['--to', '*@wanted.test', '--events', 'email.delivered']);

    await send('ada@other.test');
    await send('bob@wanted.test');

    const [line] = await until(({ event }) => event === 'attempt');
    expect(JSON.parse(line.payload).data.to).toBe('bob@wanted.test');
    expect(receiver.received).toHaveLength(1);
  });

  it('exits with 2 and names --public-url as required, before it contacts any server', async () => {
    let contacted = 0;
    const silent = createServer(() => {
      contacted += 1;
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;

    const { code, stdout, stderr } = await svc(['webhooks', 'listen', '--forward-to', ':3000'], {
      env: { ...env, SVC_BASE_URL: `http://127.0.0.1:${port}/v1` },
    });

    silent.close();
    expect({ code, stdout, contacted }).toEqual({ code: 2, stdout: '', contacted: 0 });
    expect(stderr).toMatch(
      /is not the server of the data directory .* counts as a remote service, which requires --public-url/,
    );
  });

  it.each([
    ['http to another machine', ['--public-url', 'http://tunnel.example']],
    ['an invalid URL', ['--public-url', 'tunnel']],
    ['a port without a public URL', ['--port', '4444']],
    ['an invalid port', ['--public-url', 'https://tunnel.example', '--port', '70000']],
  ])('exits with 2 for %s', async (_, args) => {
    expect(await svc(['webhooks', 'listen', '--forward-to', ':3000', ...args], { env })).toMatchObject({ code: 2 });
    expect(await webhooks()).toEqual([]);
  });

  it('leaves no webhook when its port is in use', async () => {
    const { port } = new URL(receiver.url);
    const args = ['webhooks', 'listen', '--forward-to', ':3000', '--public-url', receiver.url, '--port', port];

    const { code, stderr } = await svc(args, { env });

    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is already in use.`);
    expect(await webhooks()).toEqual([]);
  });

  // The last test: it ends the service.
  it('reports which webhook is left when the service becomes unreachable', async () => {
    const { ready, stop } = await listen();
    await service.stop('SIGKILL');

    const { code, stderr } = await stop('SIGINT');

    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      hint: expect.stringMatching(new RegExp(`^Delete it with: svc webhooks delete ${ready.webhook_id} --yes`)),
    });
  });

  async function send(to: string): Promise<void> {
    const body = { from: 'shop@example.test', to, subject: 'Hello', html: '<p>Hello</p>' };
    const answer = await request(service.ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
  }
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
