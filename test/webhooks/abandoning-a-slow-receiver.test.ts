import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '../support/gc.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Receiver, type Respond, startReceiver } from '../support/servers/receiver.js';

/** Replaces 30 s. It is the machine's time, because a socket's is; only this number differs here. */
const WAIT_MS = 1_000;
const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('a receiver that does not finish its answer in time', () => {
  let app: TestApp;
  let receiver: Receiver;

  beforeEach(async () => {
    app = await startApp({ webhookTimeoutMs: WAIT_MS });
    app.clock.freeze();
  });
  afterEach(async () => {
    await receiver.close();
    await app.closeClean();
  });

  it.each<[string, Respond]>([
    ['it sends nothing', () => {}],
    ['it sends nothing while garbage is collected', () => setImmediate(collectGarbage)],
    ['it sends headers and no body', (response) => response.writeHead(200, { 'content-length': 2 }).flushHeaders()],
    ['its body never ends', (response) => response.writeHead(200).write('x')],
    [
      'its body arrives byte by byte',
      (response) => {
        response.writeHead(200);
        // Each byte is sent after the one before, without an end, and below the limit of a body.
        let left = 1_000;
        const drip = () => !response.destroyed && left-- > 0 && response.write('x', () => setImmediate(drip));
        drip();
      },
    ],
    ['it sends "processing" again and again', (response) => response.writeProcessing()],
  ])('is abandoned and retried: %s', async (_name, respond) => {
    receiver = await startReceiver((response, received, index) =>
      index === 0 ? respond(response, received, index) : response.writeHead(200).end(),
    );
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    const [first] = (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
    expect(first).toMatchObject({
      state: 'pending',
      attempts: 1,
      status: null,
      error: `no response within ${WAIT_MS / 1_000} s`,
    });
    expect(first.duration_ms).toBeGreaterThanOrEqual(WAIT_MS - 5);

    await app.call('POST', '/_svc/clock/advance', { by: '5s' });
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  });
});
