import { afterEach, expect, it } from 'vitest';
import { readServerSentEvents } from '../../../src/client/event-source.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

let app: TestApp;
let receiver: Receiver;

afterEach(async () => {
  await app.close();
  await receiver.close();
});

it('a listener that does not read gets the number of attempts it missed, and the newest', async () => {
  app = await startApp({ plan: 'none' });
  receiver = await startReceiver();
  const stream = await app.http.inject({
    method: 'GET',
    url: `/_svc/listen?events=email.sent&forward_to=${encodeURIComponent(receiver.url)}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  const events = readServerSentEvents(stream.stream());
  expect((await events.next()).value).toMatchObject({ event: 'ready' });
  const to = Array.from({ length: 1_000 }, (_, index) => `${index}@example.test`);
  const all = 2 * to.length;

  for (const subject of ['one', 'two']) {
    await app.call('POST', '/v1/emails', { to, from: 'app@example.test', subject, html: 'x' });
  }
  await app.drain();
  expect(receiver.received).toHaveLength(all);

  let told = 0;
  let missed = 0;
  while (told + missed < all) {
    const { event, data } = (await events.next()).value ?? { event: 'ended', data: '{}' };
    if (event === 'missed') missed += JSON.parse(data).count;
    else if (event === 'attempt') told += 1;
    else throw new Error(`there came ${event}`);
  }
  expect(missed).toBeGreaterThan(0);
  // Attempts that have left the queue are on their way in the stream.
  expect(told).toBeGreaterThanOrEqual(1_000);
});
