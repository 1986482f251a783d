import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../src/client/client.js';
import { readServerSentEvents } from '../../../src/client/event-source.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** Tests svc's calls to its own server, as the dashboard makes them. */

const EMAIL = {
  to: 'ada@example.test',
  from: 'app@example.test',
  subject: 'Hi',
  html: '<a href="https://a.test/">x</a>',
};

describe('a client in the process of the server', () => {
  let app: TestApp;
  let receiver: Receiver;
  let client: Client;

  beforeEach(async () => {
    app = await startApp({ plan: 'free' });
    receiver = await startReceiver((response) => response.writeHead(500).end('not now'));
    client = new Client({
      baseUrl: 'http://any.host.test/v1',
      apiKey: TEST_KEY,
      userAgent: 'test',
      fetch: app.fetch,
    });
  });
  afterEach(async () => {
    await app.close();
    await receiver.close();
  });

  it('reads every attempt of every subscription as it arrives, until it stops reading', async () => {
    await client.call('webhooks.create', { body: { url: receiver.url, events: ['email.sent'] } });
    const attempts = readServerSentEvents(client.stream('deliveries.stream', {}));
    const first = attempts.next();
    await client.call('emails.send', { body: EMAIL });
    await app.drain();

    const { value } = await first;
    await attempts.return(undefined);

    expect(value).toMatchObject({ event: 'attempt' });
    expect(JSON.parse(value!.data)).toMatchObject({ type: 'email.sent', attempt: 1, status: 500, url: receiver.url });
    const { deliveries } = await client.control('deliveries.list', {});
    expect(deliveries.map(({ id }) => id)).toEqual([JSON.parse(value!.data).delivery_id]);
  });

  it('is neither logged nor limited; an application next to it is both', async () => {
    const { status, headers } = await app.call('GET', '/v1/emails');
    const limit = Number(headers['x-ratelimit-limit']);
    expect(status).toBe(200);

    for (let call = 0; call < limit + 1; call += 1) await client.call('emails.list', {});

    expect((await client.control('requests.list', {})).requests).toHaveLength(1);
    const { headers: later } = await app.call('GET', '/v1/emails');
    expect(later['x-ratelimit-remaining']).toBe(String(limit - 2));
  });

  it('ends a stream by its signal, before and after the response', async () => {
    const stop = new AbortController();
    const events = client.stream('events.stream', {}, stop.signal);
    expect(new TextDecoder().decode((await events.next()).value)).toBe(': ready\n\n');
    const next = events.next();
    stop.abort();

    expect(await next).toEqual({ value: undefined, done: true });
    await expect(client.stream('events.stream', {}, stop.signal).next()).rejects.toThrow();
  });
});
