import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** 0.0.0.0 counts as a private address, and a connection to it reaches this machine. */
const PRIVATE = '0.0.0.0';
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
const RULE = 'must be https (plain http only to localhost, 127.0.0.0/8 or ::1)';

describe('webhooks over plain http to another host', () => {
  let receiver: Receiver;
  let app: TestApp;
  let url: string;

  beforeEach(async () => {
    receiver = await startReceiver();
    url = receiver.url.replace('127.0.0.1', PRIVATE);
  });
  afterEach(async () => {
    await app.closeClean();
    await receiver.close();
  });

  const start = async (allowedWebhookHosts: string[] = []) => {
    app = await startApp({ allowedWebhookHosts });
    app.clock.freeze();
  };
  const create = (to: string) => app.call('POST', '/v1/webhooks', { url: to, events: ['email.sent'] });
  const listen = (to: string) => app.call('GET', `/_svc/listen?forward_to=${encodeURIComponent(to)}`);
  const sendAndDeliver = async () => {
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    return (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
  };

  it('are refused wherever a URL is accepted, with the flag that allows them', async () => {
    await start(['app']);
    const { id } = (await create(receiver.url)).json.data;
    const [sent] = await sendAndDeliver();
    const refused = [
      ['url', await create(url)],
      ['url', await app.call('PATCH', `/v1/webhooks/${id}`, { url })],
      ['to', await app.call('POST', '/_svc/deliveries/replay', { event_id: sent.event_id, to: url })],
      ['forward_to', await listen(url)],
    ] as const;

    for (const [path, { status, json }] of refused) {
      expect(status).toBe(path === 'forward_to' ? 400 : 422);
      expect(json.error).toMatchObject({
        code: 'validation_error',
        message: `${path}: ${RULE}`,
        details: [{ path, message: RULE }],
        hint: expect.stringContaining(`svc dev --allow-webhook-host ${PRIVATE}`),
      });
    }
    expect((await app.call('PATCH', '/v1/webhooks/whk_unknown', { url })).status).toBe(404);
    expect((await create('http://other:3000/hooks')).json.error.hint).toContain('--allow-webhook-host other');
  });

  it('reach an allowed host at its private address', async () => {
    await start([PRIVATE]);
    expect((await create(url)).status).toBe(201);

    expect(await sendAndDeliver()).toMatchObject([{ url, state: 'succeeded' }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('are allowed for that name alone, in any case of letters', async () => {
    await start(['app', '[fd00::1]']);

    for (const to of ['http://app/', 'http://APP:3000/hooks', 'http://[FD00:0::1]:8080/']) {
      expect((await create(to)).status, to).toBe(201);
    }
    for (const to of ['http://app.example/', 'http://my.app/', 'http://app./', 'http://[fd00::2]/', 'ftp://app/']) {
      expect((await create(to)).status, to).toBe(422);
    }
  });

  it('are refused with the reason if the scheme is missing', async () => {
    await start([]);

    const { status, json } = await create('localhost:3000/hooks');

    expect(status).toBe(422);
    expect(json.error.message).toBe('url: must begin with https://, or with http:// for this machine');
  });

  it('are announced, and refused by a strict server', async () => {
    await start(['app', 'localhost', 'hooks.example']);
    const { headers, json } = await create('http://app:3000/hooks');
    expect(String(headers['x-service-warning'])).toContain('webhook_host; url: app is allowed by --allow-webhook-host');
    const update = await app.call('PATCH', `/v1/webhooks/${json.data.id}`, { url: 'https://app/hooks' });
    expect(String(update.headers['x-service-warning'])).toContain('webhook_host');
    expect(String((await create('http://hooks.example/')).headers['x-service-warning'])).toContain('webhook_host');
    for (const host of ['10.0.0.1', 'other', 'other.', '[fd00::1]']) {
      const warning = String((await create(`https://${host}/`)).headers['x-service-warning']);
      expect(warning).toBe(`webhook_host; url: ${host} is not a public host name`);
    }
    for (const to of [
      'http://localhost:3000/',
      'https://hooks.example/',
      'https://a.example./',
      'https://127.0.0.1/',
    ]) {
      expect((await create(to)).headers['x-service-warning'], to).toBeUndefined();
    }

    const strict = await startApp({ allowedWebhookHosts: ['app'], strict: true });
    const subscribe = (to: string) => strict.call('POST', '/v1/webhooks', { url: to, events: ['email.sent'] });
    expect(await subscribe('http://app:3000/')).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'url', message: expect.stringContaining('--allow-webhook-host') }] } },
    });
    for (const [host, named] of [
      ['10.0.0.1', '10.0.0.1'],
      ['svc_test_0123456789', 'svc_test_…'],
    ]) {
      expect(await subscribe(`https://${host}/`)).toMatchObject({
        status: 422,
        json: { error: { details: [{ path: 'url', message: `${named} is not a public host name` }] } },
      });
    }
    await strict.closeClean();
  });

  it('to loopback are neither announced nor refused, also on a strict server', async () => {
    app = await startApp({ strict: true, domains: ['example.test'] });
    app.clock.freeze();
    for (const to of ['http://localhost:3000/', 'http://127.0.0.2/', 'http://[::1]:3000/', receiver.url]) {
      const { status, headers } = await create(to);
      expect({ to, status, warning: headers['x-service-warning'] }).toEqual({ to, status: 201, warning: undefined });
    }

    const deliveries = await sendAndDeliver();
    expect(deliveries.find(({ url: to }: { url: string }) => to === receiver.url)).toMatchObject({
      state: 'succeeded',
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('are not attempted by a server that does not allow the host, even if they exist', async () => {
    const folder = temporaryDirectory();
    const storage = { file: join(folder.path, 'svc.db') };
    const allowing = await startApp({ storage, allowedWebhookHosts: [PRIVATE, 'app'] });
    for (const to of [url, 'http://app/']) {
      await allowing.call('POST', '/v1/webhooks', { url: to, events: ['email.sent'] });
    }
    await allowing.closeClean();

    app = await startApp({ storage });
    app.clock.freeze();
    const deliveries = await sendAndDeliver();

    const errors = deliveries.map(({ error }: { error: string }) => error).sort();
    expect(errors).toEqual([
      `${PRIVATE} is in a private network (${PRIVATE}); to allow it, start the server with --allow-webhook-host ${PRIVATE}`,
      'plain http to app is not allowed; to allow it, start the server with --allow-webhook-host app',
    ]);
    expect(receiver.received).toEqual([]);
    folder.remove();
  });
});
