import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hmacByPython } from '../../support/cli/tools.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, type Respond, startReceiver } from '../../support/servers/receiver.js';

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
const SECRET = 'whsec_scenario';

describe('delivering webhooks', () => {
  let app: TestApp;
  let receiver: Receiver;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(async () => {
    await receiver.close();
    await app.closeClean();
  });

  async function subscribe(events: string[], respond?: Respond, secret: string | undefined = SECRET): Promise<string> {
    receiver = await startReceiver(respond);
    const { json } = await app.call('POST', '/v1/webhooks', { url: receiver.url, events, secret });
    return json.data.id;
  }

  const advance = (by: string) => app.call('POST', '/_svc/clock/advance', { by });
  const deliveries = async (query = '') => (await app.call('GET', `/_svc/deliveries${query}`)).json.data.deliveries;
  const delivery = async (id: string) => (await app.call('GET', `/_svc/deliveries/${id}`)).json.data;

  it('posts each event once, signed over its bytes, and records the attempt', async () => {
    await subscribe(['email.sent', 'email.delivered']);
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();

    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-service-attempt': '1' });
      expect(headers['user-agent']).toMatch(/^svc\//);
      expect(headers['x-service-signature']).toBe(hmacByPython(body, SECRET));
      // The specification's own receiver re-serializes what it parsed; both must agree.
      expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
    }
    const [last] = await deliveries();
    const { log, payload } = await delivery(last.id);
    expect(log).toMatchObject([{ attempt: 1, max_attempts: 4, status: 200, response_body: 'ok', error: null }]);
    expect(receiver.received.map(({ body }) => body.toString())).toContain(payload);
  });

  it('delivers events for a recipient in order, even to a slow receiver', async () => {
    const held: ServerResponse[] = [];
    await subscribe(['email.sent', 'email.delivered', 'email.complained'], (response) => held.push(response));
    await app.call('POST', '/v1/emails', { ...EMAIL, to: ['complained+one@simulator.test', 'ada@example.test'] });
    const drained = app.drain();
    const delivered = () =>
      receiver.received.map(({ body }) => {
        const { type, data } = JSON.parse(body.toString());
        return `${type} ${data.to}`;
      });
    const [one, ada] = ['complained+one@simulator.test', 'ada@example.test'];

    await receiver.until(2);
    // No more are sent before these are answered, and then only the next of each recipient.
    expect(delivered().sort()).toEqual([`email.sent ${ada}`, `email.sent ${one}`]);
    for (let answered = 0; answered < 5; answered += 1) {
      await receiver.until(answered + 1);
      held.shift()?.writeHead(200).end();
    }
    await drained;

    const of = (recipient: string) => delivered().filter((each) => each.endsWith(recipient));
    expect(of(one)).toEqual([`email.sent ${one}`, `email.delivered ${one}`, `email.complained ${one}`]);
    expect(of(ada)).toEqual([`email.sent ${ada}`, `email.delivered ${ada}`]);
  });

  it('signs each attempt, and a replay, with the secret that holds when it is made', async () => {
    const webhook = await subscribe(['email.sent'], (response) => response.writeHead(500).end());
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    await app.call('PATCH', `/v1/webhooks/${webhook}`, { secret: 'whsec_new' });
    await advance('5s');
    const [{ id }] = await deliveries();
    await app.call('POST', '/_svc/deliveries/replay', { delivery_id: id });

    const signed = receiver.received.map(({ headers, body }) =>
      [SECRET, 'whsec_new'].find((secret) => headers['x-service-signature'] === hmacByPython(body, secret)),
    );
    expect(signed).toEqual([SECRET, 'whsec_new', 'whsec_new']);
  });

  it('sends no signature without a secret', async () => {
    receiver = await startReceiver();
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-signature');
  });

  it('makes four attempts, at once and after 5, 30 and 120 seconds, with the same bytes each time', async () => {
    await subscribe(['email.sent'], (response) => response.writeHead(500).end('broken'));
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    expect(receiver.received).toHaveLength(1);

    await advance('4s');
    expect(receiver.received).toHaveLength(1);
    await advance('1s');
    expect(receiver.received).toHaveLength(2);
    await advance('30s');
    expect(receiver.received).toHaveLength(3);
    await advance('120s');
    expect(receiver.received).toHaveLength(4);
    await advance('24h');
    expect(receiver.received).toHaveLength(4);

    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4']);
    const [failed] = await deliveries('?state=failed');
    expect(failed).toMatchObject({ attempts: 4, status: 500, next_attempt_at: null });
    const { log } = await delivery(failed.id);
    const seconds = log.map(({ at }: { at: string }) => (Date.parse(at) - Date.parse(log[0].at)) / 1000);
    expect(seconds).toEqual([0, 5, 35, 155]);
  });

  it.each<[string, Respond, object]>([
    ['a redirect', (response) => response.writeHead(301, { location: '/elsewhere' }).end(), { status: 301 }],
    ['a client error', (response) => response.writeHead(404).end(), { status: 404 }],
    ['a connection that is reset', (response) => response.socket?.resetAndDestroy(), { status: null }],
    ['a connection that is closed without an answer', (response) => response.socket?.end(), { status: null }],
    ['garbage', (response) => response.socket?.end('garbage\r\n\r\n'), { status: null }],
  ])('counts %s as a failure, and retries', async (_name, respond, expected) => {
    await subscribe(['email.sent'], (response, received, index) =>
      index === 0 ? respond(response, received, index) : response.writeHead(204).end(),
    );
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    const [first] = await deliveries();
    expect(first).toMatchObject({ state: 'pending', attempts: 1, ...expected });

    await advance('5s');
    expect(await delivery(first.id)).toMatchObject({ state: 'succeeded', attempts: 2, status: 204 });
    expect(receiver.received).toHaveLength(2);
  });

  it('reports that no server listens when the connection is refused', async () => {
    await subscribe(['email.sent']);
    await receiver.close();
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    const [first] = await deliveries();
    expect(first).toMatchObject({ status: null, error: expect.stringMatching(/ECONNREFUSED/) });
    receiver = await startReceiver();
  });

  it('keeps the first 64 KiB of a response', async () => {
    await subscribe(['email.sent'], (response) => response.writeHead(200).end('x'.repeat(100_000)));
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    const [first] = await deliveries();
    const { log } = await delivery(first.id);
    expect(log[0].response_body).toHaveLength(65_536);
  });

  it('sends nothing to a disabled subscription, nor later what it missed meanwhile', async () => {
    const id = await subscribe(['email.sent']);
    await app.call('PATCH', `/v1/webhooks/${id}`, { active: false });
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    await app.call('PATCH', `/v1/webhooks/${id}`, { active: true });
    await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'Second' });
    await app.drain();
    expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.subject)).toEqual(['Second']);
  });

  it('replays a failed delivery byte for byte, to its own URL or to another', async () => {
    await subscribe(['email.sent'], (response, _received, index) => response.writeHead(index < 4 ? 503 : 200).end());
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    await advance('1h');
    const [failed] = await deliveries('?state=failed');

    const replayed = await app.call('POST', '/_svc/deliveries/replay', { failed: true });
    expect(replayed.status).toBe(201);
    expect(replayed.json.data.attempts).toMatchObject([{ event_id: failed.event_id, attempt: 1, status: 200 }]);

    expect((await app.call('POST', '/_svc/deliveries/replay', { failed: true })).status).toBe(409);
    expect(await deliveries('?state=failed')).toHaveLength(1);
    expect(await deliveries('?state=failed&replayed=false')).toEqual([]);

    const other = await startReceiver();
    await app.call('POST', '/_svc/deliveries/replay', { event_id: failed.event_id, to: other.url });
    expect(other.received).toHaveLength(1);
    expect(other.received[0]?.body.equals(receiver.received[0]?.body as Buffer)).toBe(true);
    expect(other.received[0]?.headers['x-service-signature']).toBe(
      receiver.received[0]?.headers['x-service-signature'],
    );
    await other.close();

    expect((await app.call('POST', '/_svc/deliveries/replay', { event_id: 'evt_none' })).status).toBe(404);
    expect((await app.call('POST', '/_svc/deliveries/replay', {})).status).toBe(422);
  });
});

describe('an unresponsive receiver', () => {
  it('does not delay other receivers', async () => {
    const app = await startApp();
    const held: ServerResponse[] = [];
    const silent = await startReceiver((response) => held.push(response));
    const prompt = await startReceiver();
    for (const { url } of [silent, prompt])
      await app.call('POST', '/v1/webhooks', { url, events: ['template.created'] });
    const created = 100;
    for (let number = 0; number < created; number += 1) {
      await app.call('POST', '/v1/templates', { name: `template ${number}`, subject: 'Hi', html: '<p>Hi</p>' });
    }

    const drained = app.drain();
    await prompt.until(created);
    expect(silent.received.length).toBeLessThanOrEqual(8);

    for (let answered = 0; answered < created; answered += 1) {
      await silent.until(answered + 1);
      held.shift()?.writeHead(200).end();
    }
    await drained;
    expect(silent.received).toHaveLength(created);
    const pending = await app.call('GET', '/_svc/deliveries?state=pending');
    expect(pending.json.data.pagination.total).toBe(0);
    await Promise.all([silent.close(), prompt.close()]);
    await app.close();
  });
});
