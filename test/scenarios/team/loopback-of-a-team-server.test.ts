import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
const REASON = 'is on the machine of the server (loopback)';

let receiver: Receiver;
let app: TestApp;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await app.closeClean();
  await receiver.close();
});

async function start(allowedWebhookHosts: string[] = []): Promise<void> {
  app = await startApp({ access: 'team', allowedWebhookHosts });
  app.clock.freeze();
}

const subscribe = (url: string) => app.call('POST', '/v1/webhooks', { url, events: ['email.sent'] });
const listen = (url: string) => app.call('GET', `/_svc/listen?forward_to=${encodeURIComponent(url)}`);

async function deliveries() {
  await app.call('POST', '/v1/emails', EMAIL);
  await app.drain();
  return (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
}

async function checkLink(url: string, remote: boolean) {
  const sent = await app.call('POST', '/v1/emails', { ...EMAIL, html: `<a href="${url}">Link</a>` });
  const path = `/_svc/emails/${sent.json.data.id}/checks/links`;
  return (await app.call('POST', path, { remote })).json.data.links[0];
}

describe('a server for a team', () => {
  it('refuses webhooks to its own machine wherever a URL is accepted', async () => {
    await start();
    const { id } = (await subscribe('https://hooks.example/')).json.data;
    const refused = [
      ['url', await subscribe(receiver.url)],
      ['url', await app.call('PATCH', `/v1/webhooks/${id}`, { url: receiver.url })],
      ['to', await app.call('POST', '/_svc/deliveries/replay', { event_id: 'evt_any', to: receiver.url })],
      ['forward_to', await listen(receiver.url)],
    ] as const;

    for (const [path, { status, json }] of refused) {
      expect(status).toBe(path === 'forward_to' ? 400 : 422);
      expect(json.error).toMatchObject({
        message: `${path}: 127.0.0.1 ${REASON}`,
        hint: 'To allow this host, start the server with --allow-webhook-host 127.0.0.1.',
      });
    }
    for (const url of ['https://localhost/', 'https://127.9.9.9/', 'https://[::1]/', 'http://0x7f.1/']) {
      expect((await subscribe(url)).json.error.message, url).toContain(REASON);
    }
    expect((await subscribe('http://app/')).json.error.message).toBe('url: must be https');
  });

  it('attempts no webhook to its own machine, even if the webhook exists', async () => {
    const folder = temporaryDirectory();
    const storage = { file: join(folder.path, 'svc.db') };
    const local = await startApp({ storage });
    const mapped = `https://[::ffff:127.0.0.1]:${new URL(receiver.url).port}/`;
    const name = receiver.url.replace('127.0.0.1', 'localhost');
    for (const url of [receiver.url, name, mapped]) {
      const webhook = { url, events: ['email.sent'] };
      expect((await local.call('POST', '/v1/webhooks', webhook)).status).toBe(201);
    }
    await local.closeClean();

    app = await startApp({ access: 'team', storage });
    app.clock.freeze();
    const errors = (await deliveries()).map(({ error }: { error: string }) => error);

    expect(errors.sort()).toEqual(
      ['127.0.0.1', '::ffff:7f00:1', 'localhost'].map(
        (host) => `${host} ${REASON}; to allow it, start the server with --allow-webhook-host ${host}`,
      ),
    );
    expect(receiver.received).toEqual([]);
    await app.close();
    folder.remove();
  });

  it('requests no link to its own machine', async () => {
    await start();
    const { port } = new URL(receiver.url);
    for (const remote of [false, true]) {
      expect(await checkLink(receiver.url, remote)).toMatchObject({
        result: 'skipped',
        details: `127.0.0.1 ${REASON}. To allow it, start the server with --allow-webhook-host 127.0.0.1.`,
      });
    }
    expect(await checkLink(`http://[::ffff:127.0.0.1]:${port}/`, true)).toMatchObject({
      result: 'failed',
      details: expect.stringContaining(REASON),
    });
    expect(receiver.received).toEqual([]);
  });

  it('reaches a host of its own machine that is allowed, under that name alone', async () => {
    await start(['127.0.0.1']);
    expect((await subscribe(receiver.url)).status).toBe(201);
    expect((await subscribe(receiver.url.replace('127.0.0.1', 'localhost'))).status).toBe(422);

    expect(await deliveries()).toMatchObject([{ url: receiver.url, state: 'succeeded' }]);
    expect(await checkLink(receiver.url, false)).toMatchObject({ result: 'ok' });
  });
});
