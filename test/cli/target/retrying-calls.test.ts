import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { networkFetch } from '../../../src/cli/target/network-fetch.js';
import { Client } from '../../../src/client/client.js';
import type { RetryPolicy } from '../../../src/client/retry.js';
import { orUnconfirmed } from '../../../src/client/writes.js';
import { start, svc, text } from '../../support/cli/binary.js';
import {
  answers,
  hangsUp,
  refuses,
  type ScriptedServer,
  type Step,
  startScripted,
  staysSilent,
} from '../../support/servers/scripted-server.js';

const EMPTY = answers({ emails: [], pagination: { total: 0, limit: 1, offset: 0, has_more: false } });
const SENT = answers({ id: 'msg_1', status: 'sent', to: 'a@example.test' }, 201);
const BUSY_NOW = refuses(429, 'rate_limit_exceeded', { 'retry-after': '0' });
const MAIL = { to: 'a@example.test', from: 'b@example.test', subject: 's', html: 'h' };

const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

async function serve(...steps: Step[]): Promise<ScriptedServer> {
  const server = await startScripted(steps);
  closing.push(server);
  return server;
}

/** Creates the command line's client, whose pauses are recorded instead of waited for. */
function clientOf({ baseUrl }: { baseUrl: string }, options: Partial<RetryPolicy> = {}) {
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const fetch = networkFetch(baseUrl, { timeoutSeconds: 30, env: {} });
  const retry = { retries: 3, pause, ...options };
  return { pauses, client: new Client({ baseUrl, apiKey: 'svc_test_x', userAgent: 'test', fetch, retry }) };
}

const list = (client: Client) => client.call('emails.list', { query: { limit: 1 } });

describe('a client of a server that fails temporarily', () => {
  it.each<[string, Step]>([
    ['500', refuses(500, 'internal_error')],
    ['503 from something in between', (response) => response.writeHead(503).end('<h1>Unavailable</h1>')],
    ['429 that says nothing more', refuses(429, 'rate_limit_exceeded')],
    ['a connection that is closed', hangsUp],
    [
      'a truncated response',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"success":', () => response.destroy());
      },
    ],
  ])('retries a read, with a growing pause: %s', async (_, bad) => {
    const server = await serve(bad, bad, bad, EMPTY);
    const { client, pauses } = clientOf(server);

    expect((await list(client)).emails).toEqual([]);

    expect(pauses).toEqual([500, 1_000, 2_000]);
    expect(server.asked).toHaveLength(4);
  });

  it('gives up after that, with the last answer and its request id', async () => {
    const server = await serve(refuses(500, 'internal_error'));
    const { client } = clientOf(server, { retries: 2 });

    const failure = { status: 500, code: 'internal_error', requestId: expect.stringMatching(/^req_/) };
    await expect(list(client)).rejects.toMatchObject(failure);

    expect(server.asked).toHaveLength(3);
  });

  it.each([
    ['in seconds', { 'retry-after': '7' }, 7_000],
    ['as a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:42 GMT', date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, 42_000],
  ])('waits as long as Retry-After requires, %s', async (_, headers, expected) => {
    const { client, pauses } = clientOf(await serve(refuses(429, 'rate_limit_exceeded', headers), EMPTY));

    await list(client);

    expect(pauses).toEqual([expected]);
  });

  it('does not wait until a monthly quota is reset', async () => {
    const server = await serve(refuses(429, 'rate_limit_exceeded', { 'retry-after': '864000' }));
    const { client, pauses } = clientOf(server);

    await expect(list(client)).rejects.toMatchObject({ status: 429 });

    expect(pauses).toEqual([]);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('does not retry after %i', async (status) => {
    const server = await serve(refuses(status, 'validation_error'));

    await expect(list(clientOf(server).client)).rejects.toMatchObject({ status });

    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, Step]>([
    ['500', refuses(500, 'internal_error')],
    ['503 that does not say when to try again', refuses(503, 'upstream_error')],
    ['a connection that is closed', hangsUp],
  ])('does not retry a send that may have been carried out: %s', async (_, bad) => {
    const server = await serve(bad, SENT);

    await expect(clientOf(server).client.call('emails.send', { body: MAIL })).rejects.toThrow();

    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, Step]>([
    ['429', BUSY_NOW],
    ['503 with Retry-After', refuses(503, 'upstream_error', { 'retry-after': '2' })],
  ])('retries a send that was not carried out: %s', async (_, bad) => {
    const server = await serve(bad, SENT);

    expect(await clientOf(server).client.call('emails.send', { body: MAIL })).toMatchObject({ id: 'msg_1' });

    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['Unix seconds', '1772366442', 42_000],
    ['seconds from now', '42', 42_000],
  ])('waits until X-RateLimit-Reset in %s', async (_, reset, expected) => {
    const headers = { 'x-ratelimit-reset': reset, date: 'Sun, 01 Mar 2026 12:00:00 GMT' };
    const { client, pauses } = clientOf(await serve(refuses(429, 'rate_limit_exceeded', headers), EMPTY));

    await list(client);

    expect(pauses).toEqual([expected]);
  });

  it('backs off up to the window of the limit without a header for the wait', async () => {
    const { client, pauses } = clientOf(await serve(refuses(429, 'rate_limit_exceeded')));

    await expect(list(client)).rejects.toMatchObject({ status: 429 });

    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
  });

  it('retries a send when asked to', async () => {
    const server = await serve(hangsUp, BUSY_NOW, SENT);
    const { client } = clientOf(server, { repeatSends: true });

    expect(await client.call('emails.send', { body: MAIL })).toMatchObject({ id: 'msg_1' });

    expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1);
  });

  it('reports that a deletion whose answer was lost may have been done', async () => {
    const server = await serve(hangsUp, refuses(404, 'template_not_found'));
    const { client } = clientOf(server);

    await expect(client.call('templates.delete', { params: { id: 'tpl_1' } })).rejects.toMatchObject({
      status: 404,
      hint: expect.stringContaining('earlier attempt'),
    });
  });

  it.each([
    ['an attempt whose answer was lost', hangsUp, true],
    ['a rate limit', BUSY_NOW, false],
  ])('takes a deletion as done, with a warning, if it finds nothing after %s: %j', async (_, first, isDone) => {
    const domains = answers({ domains: [] });
    const server = await serve(first, refuses(404, 'not_found'), domains, first, refuses(404, 'not_found'), domains);
    const command = ['domains', 'delete', 'a.test', '--yes', '--base-url', server.baseUrl, '--api-key', 'svc_test_x'];

    const { code, stdout, stderr } = await svc(command);
    const json = await svc([...command, '--if-exists', '--json']);

    expect([code, stdout]).toEqual(isDone ? [0, 'a.test  deleted\n'] : [1, '']);
    const warning = 'warning: The resource does not exist: an earlier attempt deleted it, or it never existed.';
    expect(stderr.includes(warning)).toBe(isDone);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { domain: 'a.test', deleted: isDone }]);
  });

  it('does not suspect an attempt that was never sent to have deleted something', async () => {
    const errors = [new Error('DNS'), undefined].map((error) => error && Object.assign(error, { code: 'EAI_AGAIN' }));
    const pauses: number[] = [];
    const gone = { success: false, error: { code: 'not_found', message: 'No.' } };
    const fetch = async () => {
      const error = errors.shift();
      if (error) throw error;
      return { status: 404, headers: new Headers(), text: async () => JSON.stringify(gone), body: null };
    };
    const retry = { retries: 2, pause: async (milliseconds: number) => void pauses.push(milliseconds) };
    const client = new Client({
      ...{ baseUrl: 'http://mail.example.test/v1', apiKey: 'svc_test_x', userAgent: 'test', fetch, retry },
    });

    await expect(client.call('templates.delete', { params: { id: 'tpl_1' } })).rejects.toMatchObject({
      status: 404,
      hint: undefined,
    });
    expect(pauses).toEqual([500]);
  });

  it('retries a server on this machine that is down only when asked to', async () => {
    const closed = await startScripted([EMPTY]);
    await closed.close();
    const byDefault = clientOf(closed);
    await expect(list(byDefault.client)).rejects.toThrow('connection refused');
    expect(byDefault.pauses).toEqual([]);

    const asked = clientOf(closed, { localOutages: true });
    await expect(list(asked.client)).rejects.toThrow('connection refused');
    expect(asked.pauses).toEqual([500, 1_000, 2_000]);
  });

  it.each<[string, Error]>([
    ['a refused connection', Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '192.0.2.7' })],
    ['a time-out', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ])('retries a read from another machine after %s', async (_, error) => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const fetch = () => Promise.reject(error);
    const retry = { retries: 2, pause };
    const options = { baseUrl: 'http://mail.example.test/v1', apiKey: 'svc_test_x', userAgent: 'test', fetch, retry };

    await expect(list(new Client(options))).rejects.toThrow(
      /^(?:Cannot connect to|No answer from) http:\/\/mail\.example\.test\/v1: /,
    );

    expect(pauses).toEqual([500, 1_000]);
  });

  it('distinguishes a server without a control API from one that has not found something', async () => {
    const notFound = refuses(404, 'not_found');
    const plain = await serve(notFound);
    const health = answers({ status: 'ok', instance: 'x' });
    const routed: Step = (response, asked) => (asked.path.endsWith('/health') ? health : notFound)(response, asked);
    const withControl = clientOf(await serve(routed)).client;

    await expect(clientOf(plain).client.control('clock.get', {})).rejects.toMatchObject({
      name: 'NoControlError',
      message: `${plain.baseUrl} does not have a control API.`,
    });
    await expect(withControl.control('clock.get', {})).rejects.toMatchObject({ name: 'ApiFailure', status: 404 });
  });
});

describe('the command line over the network', () => {
  const at = ({ baseUrl }: ScriptedServer) => ['--base-url', baseUrl, '--api-key', 'svc_test_x'];
  const send = [
    'emails',
    'send',
    '--to',
    'a@example.test',
    '--from',
    'b@example.test',
    '--subject',
    's',
    '--html',
    'h',
  ];

  it('retries a list and reports that, on stderr only', async () => {
    const server = await serve(BUSY_NOW, EMPTY);

    const { code, stdout, stderr } = await svc(['emails', 'list', ...at(server)]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('The server responded 429; retrying in 0 s (attempt 2 of 4)');
    // A remote server requires more than a recipient, and sends for real.
    expect(stderr).toMatch(/^No emails\. To send one, see: svc emails send --help$/m);
  });

  it('treats --retries 0 as a single attempt', async () => {
    const server = await serve(BUSY_NOW, EMPTY);

    const { code, stderr } = await svc(['emails', 'list', '--retries', '0', '--json', ...at(server)]);

    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ status: 429, request_id: expect.stringMatching(/^req_/) });
    expect(server.asked).toHaveLength(1);
  });

  it('sends once, and again with --retry', async () => {
    const once = await serve(hangsUp, SENT);
    const { code, stderr } = await svc([...send, ...at(once)]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('may have been carried out') });
    expect(once.asked).toHaveLength(1);

    const twice = await serve(hangsUp, SENT);
    expect((await svc([...send, '--retry', ...at(twice)])).code).toBe(0);
    expect(twice.asked).toHaveLength(2);
  });

  it.each<[string, Step]>([
    ['no answer', staysSilent],
    ['half an answer', (response) => response.writeHead(200).write('{"success":')],
  ])('exits with 5 when there is %s within --timeout, and retries only with --retries', async (_, silent) => {
    const server = await serve(silent);

    const { code, stderr } = await svc(['emails', 'list', '--timeout', '1', ...at(server)]);

    expect(code).toBe(5);
    expect(stderr).toContain(
      `No answer from ${server.baseUrl}: timed out.\nThe server accepted the connection, and did not answer in time.`,
    );
    expect(server.asked).toHaveLength(1);

    await svc(['emails', 'list', '--timeout', '1', '--retries', '1', ...at(server)]);
    expect(server.asked).toHaveLength(3);
  });

  it('ends a command at --max-time, and reports a send that was not answered by then', async () => {
    const server = await serve(staysSilent);

    const read = await svc(['emails', 'list', '--max-time', '1', '--retries', '3', ...at(server)]);
    const sent = await svc([...send, '--max-time', '1', ...at(server)]);

    expect({ code: read.code, stderr: read.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('the command did not finish within 1 s (--max-time)'),
    });
    expect({ code: sent.code, stderr: sent.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('may have been carried out'),
    });
    expect(server.asked).toHaveLength(2);
  });

  const webhook = ['webhooks', 'create', '--url', 'https://shop.example.test/hook', '--events', 'email.sent'];

  it.each([
    ['SIGINT', 130, webhook, /secret is whsec_\w{48}/],
    ['SIGTERM', 143, webhook, /secret is whsec_\w{48}/],
    ['SIGHUP', 129, ['api-keys', 'create', '--name', 'CI'], /revoke it: the answer had the only copy/],
    ['SIGTERM', 143, ['domains', 'add', 'a.example.test'], /delete it and add it again, for its DNS records/],
    ['SIGINT', 130, send, /Check with "svc emails list /],
  ] as const)(
    'reports after %s, with exit code %i, of %j that it may have been carried out',
    async (signal, exit, command, said) => {
      const server = await serve(() => child.kill(signal));
      const child = start([...command, ...at(server)]);
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);

      expect({ code, stderr }).toEqual({
        code: exit,
        stderr: expect.stringMatching(/interrupted.*may have been carried out/),
      });
      expect(stderr).toMatch(said);
      expect(server.asked).toHaveLength(1);
    },
  );

  it('does not wait for a server that asks for more time than --max-time allows', async () => {
    const server = await serve(refuses(429, 'rate_limit_exceeded', { 'retry-after': '30' }));

    const { code, stderr } = await svc(['emails', 'list', '--max-time', '5', ...at(server)]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Try again in 30s.') });
    expect(server.asked).toHaveLength(1);
  });

  it('recommends no test address of the local server', async () => {
    const { code, stderr } = await svc(['emails', 'get', 'latest', ...at(await serve(EMPTY))]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('svc emails send --help') });
    expect(stderr).not.toContain('simulator.test');
  });

  it('reports where a redirect leads, and does not send the key there', async () => {
    const elsewhere = await serve(EMPTY);
    const server = await serve((response) => response.writeHead(308, { location: elsewhere.baseUrl }).end());

    const { code, stderr } = await svc(['emails', 'list', '--json', ...at(server)]);

    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ status: 308, hint: expect.stringContaining(elsewhere.baseUrl) });
    expect(elsewhere.asked).toEqual([]);
  });

  it('reports that through a proxy as well', async () => {
    const server = await serve(
      (response) => response.writeHead(307, { location: 'http://elsewhere.example.test/v1/emails' }).end(),
      EMPTY,
    );
    const proxy = await startProxy(server);

    const { code, stderr } = await svc(
      ['emails', 'list', '--json', '--base-url', 'http://mail.example.test/v1', '--api-key', 'svc_test_x'],
      { env: throughProxy(proxy) },
    );

    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      status: 307,
      hint: expect.stringContaining('http://elsewhere.example.test/v1'),
    });
    expect(proxy.tunnels).toEqual(['mail.example.test:80']);
    expect(server.asked).toHaveLength(1);
  });

  it('uses the proxy of the environment, but not for this machine nor for hosts in NO_PROXY', async () => {
    const server = await serve(EMPTY);
    const proxy = await startProxy(server);
    const env = throughProxy(proxy);
    const remote = ['emails', 'list', '--json', '--base-url', 'http://mail.example.test/v1', '--api-key', 'svc_test_x'];

    const through = await svc(remote, { env });
    expect({ code: through.code, stderr: through.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(through.stdout).emails).toEqual([]);
    expect(proxy.tunnels).toEqual(['mail.example.test:80']);

    expect((await svc(['emails', 'list', ...at(server)], { env })).code).toBe(0);
    const around = await svc([...remote, '--retries', '0'], { env: { ...env, NO_PROXY: 'example.test' } });
    expect(around.code).toBe(5);
    expect(proxy.tunnels).toHaveLength(1);
  });

  it('refuses a proxy that is not a URL, without repeating it', async () => {
    const { code, stderr } = await svc(
      ['emails', 'list', '--base-url', 'https://mail.example.test/v1', '--api-key', 'svc_test_x'],
      { env: { HTTPS_PROXY: 'ftp://user:hunter2@proxy' } },
    );

    expect(code).toBe(2);
    expect(stderr).toContain('HTTPS_PROXY');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('a call of the control API', () => {
  const lost = { answers: { lost: orUnconfirmed } };

  it('is not repeated if it writes: its body can be a stream, and 503 may end a wait', async () => {
    const server = await serve(refuses(503, 'internal_error', { 'retry-after': '0' }));
    const { client, pauses } = clientOf(server);
    await expect(client.control('clock.advance', { body: { by: '1h' } })).rejects.toMatchObject({ status: 503 });
    expect(pauses).toEqual([]);
  });

  it('may have been carried out if its answer is lost, unless it only waits', async () => {
    const server = await serve(hangsUp, hangsUp);
    const client = new Client({
      baseUrl: server.baseUrl,
      apiKey: 'svc_test_x',
      userAgent: 'test',
      fetch: networkFetch(server.baseUrl, { timeoutSeconds: 30, env: {} }),
      ...lost,
    });
    const release = client.control('emails.release', { params: { id: 'msg_1' }, body: {} });
    await expect(release).rejects.toThrow('may have been carried out');
    await expect(client.control('emails.wait', { body: { query: '' } })).rejects.toThrow('No answer from');
  });
});

const throughProxy = ({ url }: { url: string }) => ({
  HTTP_PROXY: url,
  https_proxy: '',
  http_proxy: '',
  NO_PROXY: '',
  no_proxy: '',
});

/** Starts a proxy that connects every tunnel to one server, whatever host was requested. */
async function startProxy({ baseUrl }: ScriptedServer): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const upstream = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closing.push({
    async close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
}
