import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../src/client/client.js';
import { readEventsSoFar } from '../../../src/client/event-source.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests emptying the local server. */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>x</p>' };

describe('a reset', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const data = async (path: string) => (await app.call('GET', path)).json.data;

  async function fill(): Promise<void> {
    app.clock.freeze();
    const later = new Date(app.clock.now() + 3_600_000).toISOString();
    for (const [path, body] of [
      [
        '/v1/emails',
        { ...EMAIL, tags: ['a'], attachments: [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }] },
      ],
      ['/v1/emails', { ...EMAIL, to: 'bounced@simulator.test' }],
      ['/v1/emails', { ...EMAIL, scheduled_at: later }],
      ['/v1/templates', { name: 'welcome', subject: 'Hi', html: 'x' }],
      ['/v1/domains', { domain: 'example.test' }],
      ['/v1/webhooks', { url: 'https://hooks.example.test/', events: ['email.bounced'] }],
      ['/_svc/suppressions', { address: 'gone@example.test' }],
      ['/_svc/rules', { to: '*', outcome: 'bounced' }],
    ] as const) {
      const answer = await app.call('POST', path, body);
      expect({ path, status: answer.status }).toEqual({ path, status: 201 });
    }
    await app.drain();
  }

  it('leaves only the keys and the clock', async () => {
    await fill();
    await app.call('PATCH', '/_svc/clock', { now: '2031-01-01T00:00:00.000Z', frozen: true });
    const keys = await data('/v1/api-keys');

    expect((await app.call('POST', '/_svc/reset')).status).toBe(204);

    expect((await data('/v1/emails')).emails).toEqual([]);
    expect((await data('/v1/templates')).templates).toEqual([]);
    expect((await data('/v1/domains')).domains).toEqual([]);
    expect((await data('/v1/webhooks')).webhooks).toEqual([]);
    expect((await data('/_svc/suppressions')).suppressions).toEqual([]);
    expect((await data('/_svc/rules')).rules).toEqual([]);
    expect((await data('/_svc/deliveries')).deliveries).toEqual([]);
    expect(Object.values((await data('/v1/analytics/emails')).total)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await data('/v1/api-keys')).toEqual(keys);
    expect(await data('/_svc/clock')).toMatchObject({ now: '2031-01-01T00:00:00.000Z', frozen: true });
  });

  it('cancels what was scheduled; emails sent after it work as before', async () => {
    await fill();
    await app.call('POST', '/_svc/reset');

    await app.call('POST', '/_svc/clock/advance', { by: '2h' });
    expect((await data('/v1/emails')).emails).toEqual([]);

    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    expect((await data('/v1/emails')).emails).toMatchObject([{ to: EMAIL.to, status: 'delivered' }]);
    expect((await data('/v1/analytics/emails')).total).toMatchObject({ sent: 1, delivered: 1, bounced: 0 });
    expect(app.faults).toEqual([]);
  });

  it('lets readers of the event stream continue from their position', async () => {
    await fill();
    const before = (await data('/_svc/info')).last_event;
    const stopping = new AbortController();
    const events = app.follow(stopping.signal);
    const next = events[Symbol.asyncIterator]().next();
    await app.call('POST', '/_svc/reset');

    await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'after' });

    expect(JSON.parse((await next).value ?? '')).toMatchObject({ type: 'email.sent', data: { subject: 'after' } });
    expect((await data('/_svc/info')).last_event).toBeGreaterThan(before);
    stopping.abort();
  });

  // A heartbeat would show the same 15 s after the one before it.
  it.each(['events.stream', 'requests.stream', 'smtp-sessions.stream'] as const)(
    'is reported at once, with a comment, to readers of %s',
    { timeout: 10_000 },
    async (stream) => {
      await fill();
      const client = new Client({
        baseUrl: 'http://any.test/v1',
        apiKey: TEST_KEY,
        userAgent: 'test',
        fetch: app.fetch,
      });
      const chunks = client.stream(stream, {});
      await chunks.next();
      const next = chunks.next();

      await app.call('POST', '/_svc/reset');

      expect(new TextDecoder().decode((await next).value)).toBe(': ready\n\n');
      await chunks.return(undefined);
    },
  );

  it('between two reads of the events does not make readers wait for deleted ones', { timeout: 10_000 }, async () => {
    await fill();
    await app.call('POST', '/_svc/reset');
    const client = new Client({ baseUrl: 'http://any.test/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });

    const found = [];
    for await (const event of readEventsSoFar(client.stream('events.stream', { query: { after: '0' } })))
      found.push(event);

    expect(found).toEqual([]);
  });
});
