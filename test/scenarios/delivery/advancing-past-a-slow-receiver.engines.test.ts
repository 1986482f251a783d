import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { detailOf, send } from '../../support/simulation.js';

const NOON = Date.parse('2026-06-01T12:00:00.000Z');

describe('advancing the clock past a receiver that does not respond', () => {
  let app: TestApp;
  let receiver: Receiver;

  beforeEach(async () => {
    app = await startApp();
    await app.call('PATCH', '/_svc/clock', { now: new Date(NOON).toISOString(), frozen: true });
    receiver = await startReceiver(() => {});
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  });

  afterEach(async () => {
    await receiver.close();
    await app.closeClean();
  });

  const advance = async (by: string) => (await app.call('POST', '/_svc/clock/advance', { by, wait: '0s' })).json.data;
  const at = (seconds: number) => new Date(NOON + seconds * 1_000).toISOString();

  it('sends scheduled email meanwhile, and leaves the attempt under way', async () => {
    const id = await send(app, 'ada@example.test', { scheduled_at: at(3) });
    await send(app, 'bob@example.test');

    expect(await advance('5s')).toMatchObject({ now: at(5), cut_short: 0 });

    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered', sent_at: at(3) });
  });

  it('takes no time of a clock that runs', async () => {
    await app.call('PATCH', '/_svc/clock', { offset_ms: 0 });
    await send(app, 'ada@example.test');

    await advance('5s');

    // Waiting for the attempt takes 250 ms, which would be missing.
    expect((await app.call('GET', '/_svc/clock')).json.data.offset_ms).toBeGreaterThan(4_900);
  });

  it('does not wait for attempts that are due while all the 64 that run at once hang', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => startReceiver(() => {})));
    for (const { url } of others) await app.call('POST', '/v1/webhooks', { url, events: ['email.sent'] });
    await send(
      app,
      Array.from({ length: 10 }, (_, index) => `user${index}@example.test`),
    );
    expect(await advance('5s')).toMatchObject({ now: at(5) });

    await Promise.all(others.map((other) => other.close()));
  });

  it('does not wait for what clients go on to send', async () => {
    let reply: Promise<string> | undefined;
    let isReplying = true;
    const client = await startReceiver((response) => {
      response.end();
      if (isReplying) reply = send(app, 'ada@example.test');
    });
    await app.call('POST', '/v1/webhooks', { url: client.url, events: ['email.delivered'] });
    await send(app, 'ada@example.test');

    expect(await advance('5s')).toMatchObject({ now: at(5), cut_short: 0 });

    isReplying = false;
    await reply;
    await client.close();
  });

  it('ends attempts at their limit of 30 seconds, and makes their retries in between', async () => {
    await send(app, 'ada@example.test');

    const travel = await advance('10m');

    expect(travel).toMatchObject({ now: at(600), cut_short: 4 });
    const [{ id, state }] = (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
    expect(state).toBe('failed');
    const { log } = (await app.call('GET', `/_svc/deliveries/${id}`)).json.data;
    expect(log.map((attempt: { at: string }) => attempt.at)).toEqual([0, 35, 95, 245].map(at));
    for (const attempt of log) expect(attempt).toMatchObject({ status: null, duration_ms: 30_000 });
  });
});
