import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverVariables } from '../../../src/cli/server/settings/formats.js';
import { type DevServer, startDev, svc, text } from '../../support/cli/binary.js';
import { skippedBecause } from '../../support/cli/tools.js';
import { data, request } from '../../support/servers/server-calls.js';

/** Tests `svc dev --host 0.0.0.0`, as in a container: which clients may call it, and by which names. */

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const EXTERNAL_URL = 'https://inbox.dev.example/svc/';

interface Call {
  at?: string | undefined;
  host?: string;
  origin?: string;
}

describe('svc dev that listens on every address', () => {
  let dev: DevServer;

  beforeAll(async () => {
    const names = ['--allow-host', 'Mail', '--allow-host', 'mail.internal', '--external-url', EXTERNAL_URL];
    const webhookHosts = ['--allow-webhook-host', 'App', '--allow-webhook-host', 'worker'];
    dev = await startDev(['--in-memory', '--host', '0.0.0.0', ...names, ...webhookHosts]);
  });
  afterAll(() => dev.stop());

  const skipped = ownAddress === undefined ? skippedBecause('this machine has no address but those of loopback') : '';

  it.skipIf(skipped)(`answers at the address that was called${skipped}`, async () => {
    expect(await call({ at: ownAddress })).toMatchObject({ success: true });
  });

  it('reports addresses that clients can connect to, also as variables of dev env', () => {
    const { base_url, smtp } = dev.ready;
    const variables = serverVariables({ ...dev.ready, instance: 'x', started_at: 'x' }, 'data');

    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(variables).toMatchObject({
      SVC_BASE_URL: base_url,
      SVC_SMTP_HOST: '127.0.0.1',
      SVC_SMTP_PORT: String(smtp.port),
    });
  });

  it.each(['mail', 'MAIL', 'mail.internal', 'localhost', new URL(EXTERNAL_URL).hostname])(
    'answers to the name %s',
    async (host) => {
      expect(await call({ host })).toMatchObject({ success: true });
    },
  );

  it.each(['rebound.example', '192.0.2.7', 'mail.internal.example'])(
    'refuses the host %s, and reports what to do',
    async (host) => {
      expect((await call({ host })).error).toMatchObject({
        status: 403,
        message: expect.stringContaining(`"${host}:`),
        hint: expect.stringContaining(`svc dev --allow-host ${host}`),
      });
    },
  );

  it('refuses a web page of another origin, whatever host it names', async () => {
    expect((await call({ host: 'mail', origin: 'http://elsewhere.example' })).error).toMatchObject({
      status: 403,
      message: 'Requests from pages at "http://elsewhere.example" are not allowed.',
      hint: expect.stringContaining('from a program'),
    });
  });

  it('puts the external URL into tracked mail, and accepts webhooks to each allowed host', async () => {
    const html = '<p><a href="https://shop.example/">Shop</a></p>';
    const email = { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html };
    const { id } = await post('/v1/emails', email);
    const delivered = await (await request(dev.ready, `/_svc/emails/${id}/delivered`)).text();
    expect(delivered).toContain('<a href="https://inbox.dev.example/svc/t/c/');
    expect(delivered).toContain('<img src="https://inbox.dev.example/svc/t/o/');

    for (const host of ['app', 'worker']) {
      const webhook = { url: `http://${host}:3000/hooks`, events: ['email.sent'] };
      expect(await post('/v1/webhooks', webhook)).toMatchObject(webhook);
    }
  });

  const post = (path: string, body: object) =>
    data(dev.ready, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** Sends a request with a Host header, at loopback by default. */
  async function call({ at = '127.0.0.1', host = at, origin }: Call) {
    const { port } = new URL(dev.ready.base_url);
    const headers = {
      host: `${host}:${port}`,
      authorization: `Bearer ${dev.ready.api_key}`,
      ...(origin && { origin }),
    };
    const sent = httpRequest({ host: at, port, path: '/v1/emails', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return JSON.parse(await text(response));
  }
});

it.each([
  ...['http://mail', 'mail:8025', '*', '*.internal', 'a b'].map((name) => ['--allow-host', name]),
  ['--allow-webhook-host', 'http://app:3000'],
  ['--external-url', 'mail.dev.example'],
])('svc dev refuses %s %j', async (flag, value) => {
  const { code, stderr } = await svc(['dev', '--in-memory', '--http-port', '0', '--smtp-port', '0', flag, value]);

  expect(code).toBe(2);
  expect(stderr).toContain(`${flag} must be`);
});
