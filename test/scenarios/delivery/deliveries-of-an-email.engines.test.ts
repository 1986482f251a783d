import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

let app: TestApp;
let receiver: Receiver;
beforeEach(async () => {
  app = await startApp();
  app.clock.freeze();
  receiver = await startReceiver((response) => response.writeHead(500).end());
  await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent', 'email.delivered'] });
});
afterEach(async () => {
  await receiver.close();
  await app.closeClean();
});

const send = async (subject: string) =>
  (
    await app.call('POST', '/v1/emails', {
      to: 'ada@example.test',
      from: 'shop@example.test',
      subject,
      html: '<p>Hi</p>',
    })
  ).json.data.id as string;

it('lists the deliveries of one email', async () => {
  const ids = [await send('One'), await send('Two')];
  await app.drain();

  for (const id of ids) {
    const { events } = await app.read(`/_svc/emails/${id}`);
    const { deliveries, pagination } = await app.read(`/_svc/deliveries?email=${id}`);
    expect(pagination.total).toBe(2);
    expect(deliveries.map(({ event_id }: { event_id: string }) => event_id).reverse()).toEqual(
      events.map((event: { id: string }) => event.id),
    );
  }
  const sent = await app.read(`/_svc/deliveries?email=${ids[0]}&event=email.sent&state=pending`);
  expect(sent.deliveries).toHaveLength(1);
});

it('reports an unknown email', async () => {
  expect((await app.call('GET', '/_svc/deliveries?email=msg_01arz3ndektsv4rrffq69g5fav')).status).toBe(404);
  const id = await send('No webhook');
  await app.call('POST', '/_svc/reset');
  expect((await app.call('GET', `/_svc/deliveries?email=${id}`)).status).toBe(404);
});

/** Yields the names of server-sent events, and `ready` for comments. */
async function* namesOf(query: string): AsyncGenerator<string> {
  const response = await app.http.inject({
    url: `/_svc/events${query}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  let rest = '';
  for await (const chunk of response.stream()) {
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield /^event: (.*)$/m.exec(block)?.[1] ?? 'ready';
  }
}

async function until(names: AsyncGenerator<string>, last: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const { value } = await names.next();
    found.push(value as string);
    if (value === last) return found;
  }
}

it('reports ended attempts on an event stream with attempts=true', async () => {
  const names = namesOf('?attempts=true');
  await until(names, 'ready');
  const id = await send('One');
  await app.drain();

  expect(await until(names, 'attempts')).toContain('email.sent');
  // The deletion is reported too, although attempts may end at the same time.
  await Promise.all([app.call('POST', '/_svc/clock/advance', { by: '5s' }), app.call('DELETE', `/_svc/emails/${id}`)]);
  const more = await until(names, 'ready');
  expect(more.includes('attempts') || (await until(names, 'attempts'))).toBeTruthy();
  await names.return(undefined);
});

it('sends no notice of attempts to other clients', async () => {
  const names = namesOf('');
  await until(names, 'ready');
  await send('One');
  await app.drain();
  await send('Two');
  await app.drain();

  expect([...(await until(names, 'email.delivered')), ...(await until(names, 'email.delivered'))]).not.toContain(
    'attempts',
  );
  await names.return(undefined);
});
