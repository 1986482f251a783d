import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events as eventsPane } from '../../../../src/cli/dashboard/panes/index.js';
import { Captured } from '../../../../src/cli/server/exec/artifacts/captured.js';
import { readServerSentEvents } from '../../../../src/client/event-source.js';
import { startApp, TEST_KEY, type TestApp } from '../../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../../support/servers/receiver.js';
import { send } from '../../../support/simulation.js';
import { exportFrom, importInto } from '../../../support/state.js';
import { clientOf } from '../../exec/running.js';

let app: TestApp;
afterEach(() => app.closeClean());

/** Returns the recipients and numbers of the events that are left, oldest first. */
async function eventsAfter(after: number): Promise<[to: string, type: string][]> {
  const start = { email: 0, event: after, request: 0, delivery: null };
  const found: [string, string][] = [];
  for await (const { type, data } of new Captured(clientOf(app), start).events()) {
    found.push([String((data as { to?: string }).to), type]);
  }
  return found;
}

/** Returns the IDs of the events that are left, oldest first. */
async function idsAfter(after: number): Promise<string[]> {
  const start = { email: 0, event: after, request: 0, delivery: null };
  const found: string[] = [];
  for await (const { id } of new Captured(clientOf(app), start).events()) found.push(id);
  return found;
}

const refusalOf = async (after: number) => {
  const { status, json } = await app.call('GET', `/_svc/events?after=${after}`);
  return { status, error: json.error };
};

describe('a server that keeps the newest emails', () => {
  beforeEach(async () => {
    app = await startApp({ retention: { keep: 2, maxAgeMs: null, keepIf: null } });
    for (const name of ['ada', 'bob', 'cyd', 'dan']) await send(app, `${name}@example.test`);
    await app.drain();
  });

  const LEFT = [
    ['cyd@example.test', 'email.sent'],
    ['dan@example.test', 'email.sent'],
    ['cyd@example.test', 'email.delivered'],
    ['dan@example.test', 'email.delivered'],
  ];

  it('removes events with their emails, and tells readers of earlier cursors how to go on', async () => {
    const { last_event } = await app.read('/_svc/info');
    expect(last_event).toBe(8);

    const { status, error } = await refusalOf(1);
    expect(status).toBe(410);
    const [{ path, minimum: oldest }] = error.details;
    expect({ code: error.code, message: error.message, path }).toEqual({
      code: 'not_found',
      message: `Events after 1 were removed by the server's limits. The oldest cursor is ${oldest}.`,
      path: 'after',
    });
    expect(oldest).toBeGreaterThan(1);
    expect((await refusalOf(oldest - 1)).status).toBe(410);

    expect(await eventsAfter(0)).toEqual(expect.arrayContaining(LEFT));
    expect(await eventsAfter(0)).toHaveLength(LEFT.length);
    const later = await eventsAfter(oldest);
    expect(LEFT).toEqual(expect.arrayContaining(later));
    await send(app, 'eve@example.test');
    expect(await eventsAfter(oldest)).toContainEqual(['eve@example.test', 'email.sent']);
  });

  it('gives commands the events that are left after their cursor', async () => {
    expect((await refusalOf(2)).status).toBe(410);
    expect(await eventsAfter(2)).toHaveLength(LEFT.length);
    expect((await eventsPane.read(clientOf(app), 7)).rows.length).toBeGreaterThan(0);
  });

  it('counts all emails in analytics, and keeps the log’s beginning over an export and an import', async () => {
    expect((await app.read('/v1/analytics/emails')).total).toMatchObject({ sent: 4, delivered: 4 });
    const archive = await exportFrom(app);
    const { error } = await refusalOf(1);
    await app.call('POST', '/_svc/reset');
    await importInto(app, archive);
    expect((await app.read('/v1/analytics/emails')).total).toMatchObject({ sent: 4, delivered: 4 });
    expect(await refusalOf(1)).toMatchObject({ status: 410, error: { details: error.details } });
    expect(await eventsAfter(0)).toHaveLength(LEFT.length);
  });

  it('streams new events after a reset', async () => {
    await app.call('POST', '/_svc/reset');
    await send(app, 'ada@example.test');
    expect((await eventsAfter(0))[0]).toEqual(['ada@example.test', 'email.sent']);
  });
});

describe('events of an email that someone deletes', () => {
  let receiver: Receiver;
  let code = 503;
  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
    code = 503;
    receiver = await startReceiver((response) => void response.writeHead(code).end());
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.delivered'] });
  });
  afterEach(() => receiver.close());

  it('are removed, and a delivery that is retried is not lost', async () => {
    const id = await send(app, 'ada@example.test');
    await app.drain();
    const { deliveries } = await app.read('/_svc/deliveries');
    expect(deliveries).toMatchObject([{ state: 'pending', attempts: 1 }]);

    expect((await app.call('DELETE', `/_svc/emails/${id}`)).status).toBe(204);
    await app.drain();
    expect(await eventsAfter(0)).toEqual([['ada@example.test', 'email.delivered']]);
    expect((await app.read(`/_svc/deliveries/${deliveries[0].id}`)).log).toHaveLength(1);

    code = 200;
    expect((await app.call('POST', '/_svc/clock/advance', { by: '1h' })).status).toBe(200);
    await app.drain();
    expect(receiver.received).toHaveLength(2);
    expect(await eventsAfter(0)).toEqual([]);
    expect((await app.read('/_svc/deliveries')).deliveries).toEqual([]);
  });

  it('are removed in batches, when the server has time', async () => {
    await Promise.all(Array.from({ length: 520 }, () => send(app, 'ada@example.test')));
    await app.drain();
    expect((await app.call('POST', '/_svc/emails/delete', { all: true })).json.data).toMatchObject({ deleted: 520 });
    expect((await app.read('/_svc/deliveries?state=pending')).pagination).toMatchObject({ total: 520 });

    code = 200;
    expect((await app.call('POST', '/_svc/clock/advance', { by: '1h' })).status).toBe(200);
    await expect.poll(async () => (await app.read('/_svc/deliveries')).deliveries).toEqual([]);
    expect(await eventsAfter(0)).toEqual([]);
  });

  it('do not make a reader’s cursor invalid', async () => {
    const ids = [await send(app, 'ada@example.test'), await send(app, 'bob@example.test')];
    code = 200;
    await app.drain();
    for (const id of ids) await app.call('DELETE', `/_svc/emails/${id}`);
    await app.drain();
    expect(await eventsAfter(1)).toEqual([]);
  });

  it('do not keep a listener from continuing after one of them', async () => {
    const id = await send(app, 'ada@example.test');
    const [first] = await idsAfter(0);
    await send(app, 'bob@example.test');
    code = 200;
    await app.call('POST', '/_svc/clock/advance', { by: '1h' });
    await app.drain();
    await app.call('DELETE', `/_svc/emails/${id}`);
    const { instance } = await app.read('/_svc/health');

    const listener = await startReceiver();
    const url = `/_svc/listen?forward_to=${encodeURIComponent(listener.url)}&after=${first}&instance=${instance}`;
    const headers = { host: 'localhost', authorization: `Bearer ${TEST_KEY}` };
    const response = await app.http.inject({ url, headers, payloadAsStream: true });
    const events = readServerSentEvents(response.stream());
    expect((await events.next()).value).toMatchObject({ event: 'ready' });
    await app.drain();
    const left = await idsAfter(0);
    expect(listener.received.map(({ body }) => JSON.parse(String(body)).id).sort()).toEqual(left);
    await events.return(undefined);
    response.raw.res.destroy();
    await listener.close();
  });

  it('leave those that were triggered without an email', async () => {
    code = 200;
    await app.call('POST', '/_svc/events/trigger', { type: 'email.delivered' });
    await app.call('POST', '/_svc/events/trigger', { type: 'domain.verified' });
    await app.drain();
    expect(receiver.received).toHaveLength(1);
    expect((await eventsAfter(0)).map(([, type]) => type)).toEqual(['email.delivered', 'domain.verified']);
    expect((await app.read('/_svc/deliveries')).deliveries).toMatchObject([{ state: 'succeeded' }]);
  });
});
