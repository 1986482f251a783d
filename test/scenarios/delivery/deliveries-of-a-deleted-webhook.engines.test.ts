import { afterEach, beforeEach, expect, it } from 'vitest';
import { readServerSentEvents } from '../../../src/client/event-source.js';
import { signatureOf } from '../../../src/contract/webhook-signature.js';
import { startApp, TEST_KEY, type TestApp, WEBHOOK_SECRET } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

let app: TestApp;
let receiver: Receiver;
beforeEach(async () => {
  app = await startApp();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await app.closeClean();
});

const send = async () => {
  const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  await app.call('POST', '/v1/emails', body);
  await app.drain();
};

async function afterListening(): Promise<void> {
  const stream = await app.http.inject({
    url: `/_svc/listen?events=email.sent&forward_to=${encodeURIComponent(receiver.url)}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  const events = readServerSentEvents(stream.stream());
  await events.next();
  await send();
  expect((await events.next()).value).toMatchObject({ event: 'attempt' });
  await events.return(undefined);
  stream.raw.res.destroy();
  await expect.poll(async () => (await app.read('/_svc/webhooks')).webhooks).toEqual([]);
}

async function afterDeleting(): Promise<void> {
  const { json } = await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  await send();
  await app.call('DELETE', `/v1/webhooks/${json.data.id}`);
}

it.each([
  ['a client that listened', afterListening],
  ['a deleted webhook', afterDeleting],
])('shows the deliveries of %s, and replays them to another URL', async (_, deliver) => {
  await deliver();
  const { deliveries } = await app.read('/_svc/deliveries');
  const [{ id, webhook_id: webhook }] = deliveries;

  const shown = await app.read(`/_svc/deliveries/${id}`);
  expect(shown).toMatchObject({ id, state: 'succeeded', log: [{ status: 200, url: receiver.url }] });

  const refused = await app.call('POST', '/_svc/deliveries/replay', { delivery_id: id });
  expect([refused.status, refused.json.error.message]).toEqual([409, `Webhook ${webhook} no longer exists.`]);
  expect(refused.json.error.hint).toContain('--to URL');

  const replayed = await app.call('POST', '/_svc/deliveries/replay', { delivery_id: id, to: receiver.url });
  expect([replayed.status, replayed.json.data.attempts]).toMatchObject([201, [{ status: 200 }]]);
  const { headers, body } = receiver.received.at(-1) as (typeof receiver.received)[number];
  expect(String(body)).toBe(shown.payload);
  expect(headers['x-service-signature']).toBe(signatureOf(shown.payload, WEBHOOK_SECRET));
});

it('replays events only for the recipients that a client listens for', async () => {
  const stream = await app.http.inject({
    url: `/_svc/listen?events=email.sent&to=*@a.test&forward_to=${encodeURIComponent(receiver.url)}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  const events = readServerSentEvents(stream.stream());
  await events.next();
  for (const to of ['bob@b.test', 'ada@a.test']) {
    await app.call('POST', '/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' });
  }
  await app.drain();
  const replayed = await app.call('POST', '/_svc/deliveries/replay', { since: '2020-01-01T00:00:00Z' });
  expect([replayed.status, replayed.json.data.attempts]).toMatchObject([201, [{ status: 200 }]]);
  const recipients = receiver.received.map(({ body }) => JSON.parse(String(body)).data.to);
  expect(recipients).toEqual(['ada@a.test', 'ada@a.test']);
  await events.return(undefined);
  stream.raw.res.destroy();
  await expect.poll(async () => (await app.read('/_svc/webhooks')).webhooks).toEqual([]);
});
