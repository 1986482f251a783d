import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { detailOf, send, typesOf } from '../../support/simulation.js';

const NOON = '2026-06-01T12:00:00.000Z';

describe('moving time', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    await app.call('PATCH', '/_svc/clock', { now: NOON, frozen: true });
  });

  afterEach(() => app.closeClean());

  const advance = async (by: string) => (await app.call('POST', '/_svc/clock/advance', { by })).json.data;
  const later = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString();

  it.each([
    ['90s', '2026-06-01T12:01:30.000Z'],
    ['2h', '2026-06-01T14:00:00.000Z'],
    ['1d12h', '2026-06-03T00:00:00.000Z'],
    ['PT2H', '2026-06-01T14:00:00.000Z'],
    ['P1DT0.5S', '2026-06-02T12:00:00.500Z'],
    ['250ms', '2026-06-01T12:00:00.250Z'],
  ])('is possible by %s', async (by, now) => {
    expect(await advance(by)).toMatchObject({ now, frozen: true, ran: {} });
  });

  it.each(['', '5', '-2h', 'two hours', 'P', 'PT', '99999w', '2h ago'])('is refused by %j', async (by) => {
    expect((await app.call('POST', '/_svc/clock/advance', { by })).status).toBe(422);
  });

  it('shows in the health check', async () => {
    await advance('2h');

    expect((await app.call('GET', '/_svc/health')).json.data.now).toBe(later(2 * 3_600_000));
  });

  it('sends scheduled emails and delivers deferred ones, each at its own time', async () => {
    const deferred = await send(app, 'deferred@simulator.test');
    const scheduled = await send(app, 'opened@simulator.test', { scheduled_at: later(3_600_000) });

    const { now, ran } = await advance('2h');

    expect(now).toBe(later(7_200_000));
    expect(ran).toEqual({ 'email.outcome': 3, 'email.send': 1 });
    expect(await detailOf(app, deferred)).toMatchObject({ status: 'delivered', delivered_at: later(300_000) });
    expect(await detailOf(app, scheduled)).toMatchObject({ sent_at: later(3_600_000), opened_at: later(3_600_000) });
  });

  it('runs nothing a millisecond early', async () => {
    const id = await send(app, 'deferred@simulator.test');
    await advance('299999ms');
    expect(await typesOf(app, id)).toEqual(['sent']);
    await advance('1ms');
    expect(await typesOf(app, id)).toEqual(['sent', 'delivered']);
  });

  it('runs what becomes due when set forward; undoes nothing when set backward', async () => {
    const id = await send(app, 'deferred@simulator.test');
    const forward = await app.call('PATCH', '/_svc/clock', { now: later(86_400_000) });
    expect(forward.json.data).toMatchObject({ now: later(86_400_000), ran: { 'email.outcome': 1 } });

    const back = await app.call('PATCH', '/_svc/clock', { now: NOON });

    expect(back.json.data).toMatchObject({ now: NOON, frozen: true, ran: {} });
    expect((await detailOf(app, id)).delivered_at).toBe(later(300_000));
  });

  it('returns with a reset to the machine’s time to the millisecond, and runs what becomes due if that is forward', async () => {
    const id = await send(app, 'deferred@simulator.test');
    const { json } = await app.call('PATCH', '/_svc/clock', { offset_ms: 0 });

    expect(json.data).toMatchObject({ frozen: false, offset_ms: 0, ran: { 'email.outcome': 1 } });
    expect((await app.call('GET', '/_svc/clock')).json.data).toMatchObject({ frozen: false, offset_ms: 0 });
    expect(await typesOf(app, id)).toEqual(['sent', 'delivered']);
  });

  it('is ahead by exactly what a running clock is advanced by, however long the machine takes', async () => {
    await app.call('PATCH', '/_svc/clock', { offset_ms: 0 });
    let late = 0;
    const now = Date.now.bind(Date);
    const slow = vi.spyOn(Date, 'now').mockImplementation(() => now() + late++);
    try {
      await advance('1h');
      await advance('1h');
    } finally {
      slow.mockRestore();
    }

    expect((await app.call('GET', '/_svc/clock')).json.data).toMatchObject({ frozen: false, offset_ms: 7_200_000 });
  });

  it('undoes nothing with a reset if that is backward', async () => {
    await app.call('PATCH', '/_svc/clock', { now: '2999-01-01T00:00:00Z', frozen: false });
    const id = await send(app, 'deferred@simulator.test');

    const { json } = await app.call('PATCH', '/_svc/clock', { offset_ms: 0 });

    expect(json.data).toMatchObject({ frozen: false, offset_ms: 0, ran: {} });
    expect(await typesOf(app, id)).toEqual(['sent']);
  });

  it.each([{ offset_ms: 1 }, { offset_ms: 0, frozen: true }, { offset_ms: 0, now: NOON }, {}])(
    'is refused to %j',
    async (body) => {
      expect((await app.call('PATCH', '/_svc/clock', body)).status).toBe(422);
    },
  );

  it('runs what is due at once while the clock is frozen', async () => {
    const id = await send(app, 'clicked@simulator.test');
    await app.drain();

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered', 'opened', 'clicked']);
    expect((await detailOf(app, id)).delivered_at).toBe(NOON);
  });

  it('continues after resume from the frozen time', async () => {
    await advance('1h');
    const resumed = (await app.call('PATCH', '/_svc/clock', { frozen: false })).json.data;

    expect(resumed.frozen).toBe(false);
    expect(Date.parse(resumed.now)).toBeGreaterThanOrEqual(Date.parse(later(3_600_000)));
    expect(Date.parse(resumed.now)).toBeLessThan(Date.parse(later(3_660_000)));
    expect((await app.call('GET', '/_svc/clock')).json.data.offset_ms).toBe(resumed.offset_ms);
  });

  it('adds up when it is advanced several times concurrently', async () => {
    await Promise.all([advance('1h'), advance('2h'), advance('3h')]);
    expect((await app.call('GET', '/_svc/clock')).json.data.now).toBe(later(6 * 3_600_000));
  });

  it('resets the rate limit of a client', async () => {
    const first = await app.call('GET', '/v1/emails');
    const second = await app.call('GET', '/v1/emails');
    await advance('61s');
    const third = await app.call('GET', '/v1/emails');

    const left = [first, second, third].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left[1]).toBe((left[0] ?? 0) - 1);
    expect(left[2]).toBe(left[0]);
  });

  it('applies to analytics', async () => {
    await send(app, 'deferred@simulator.test');
    await advance('1d');
    const { by_date } = (await app.call('GET', '/v1/analytics/emails?from_date=2026-06-01')).json.data;

    expect(by_date).toMatchObject([
      { date: '2026-06-01', sent: 1, delivered: 1 },
      { date: '2026-06-02', sent: 0, delivered: 0 },
    ]);
  });

  describe('with a receiver that fails', () => {
    let receiver: Receiver;

    beforeEach(async () => {
      receiver = await startReceiver((response) => response.writeHead(500).end());
      await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.delivered'] });
    });
    afterEach(() => receiver.close());

    it('makes every attempt at its own time, before the response is sent', async () => {
      await send(app, 'ada@example.test');
      await app.drain();
      expect(receiver.received).toHaveLength(1);

      const { ran } = await advance('3m');

      expect(ran).toEqual({ 'webhook.attempt': 3 });
      expect(receiver.received).toHaveLength(4);
    });
  });
});

describe('moved time', () => {
  it('is kept by a server that starts again, frozen or passing', async () => {
    const directory = temporaryDirectory();
    const storage = { file: join(directory.path, 'mail.db') };
    const first = await startApp({ storage });
    await first.call('PATCH', '/_svc/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
    await first.close();

    const second = await startApp({ storage });
    expect((await second.call('GET', '/_svc/clock')).json.data).toMatchObject({
      now: '2030-01-01T00:00:00.000Z',
      frozen: true,
    });
    const id = await send(second, 'deferred@simulator.test');
    await second.call('PATCH', '/_svc/clock', { frozen: false });
    await second.close();

    const third = await startApp({ storage });
    const { now, frozen } = (await third.call('GET', '/_svc/clock')).json.data;
    expect(now).toMatch(/^2030-01-01T00:0/);
    expect(frozen).toBe(false);
    await third.call('POST', '/_svc/clock/advance', { by: '10m' });
    expect(await eventsOf(third, id, 'email.delivered')).toMatchObject([{ to: 'deferred@simulator.test' }]);
    await third.close();
    directory.remove();
  });
});
