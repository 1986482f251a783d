import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { verifiedDomain } from '../../support/verified-domain.js';

/** Specification: States and transitions; gaps 3 and 35. */

const HOUR = 3_600_000;

describe('a scheduled email', () => {
  let app: TestApp;
  let at: number;
  let id: string;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
    at = app.clock.now() + HOUR;
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Later', html: '<p>Later</p>' };
    const sent = await app.call('POST', '/v1/emails', { ...body, scheduled_at: new Date(at).toISOString() });
    id = sent.json.data.id;
  });

  afterEach(() => app.closeClean());

  const read = async () => (await app.call('GET', `/v1/emails/${id}`)).json.data;
  const eventTypes = async () =>
    (await app.call('GET', `/_svc/emails/${id}`)).json.data.events.map(({ type }: { type: string }) => type);

  async function advanceTo(instant: number): Promise<void> {
    app.clock.set(instant);
    await app.drain();
  }

  it('is sent at its time, not before, and reports its events then', async () => {
    await advanceTo(at - 1);
    expect(await read()).toMatchObject({ status: 'scheduled', sent_at: null, delivered_at: null });
    expect(await eventTypes()).toEqual([]);

    await advanceTo(at);
    const due = new Date(at).toISOString();
    expect(await read()).toMatchObject({ status: 'delivered', sent_at: due, delivered_at: due });
    expect(await eventTypes()).toEqual(['email.sent', 'email.delivered']);

    await advanceTo(at + HOUR);
    expect(await eventTypes()).toHaveLength(2);
    expect((await app.call('DELETE', `/v1/emails/${id}`)).status).toBe(409);
  });

  it('goes out although its key was revoked and its domain deleted', async () => {
    await verifiedDomain(app, 'shop.test');
    const key = (await app.call('POST', '/v1/api-keys', { name: 'k', environment: 'test', rate_limit: 60 })).json.data;
    const authorization = `Bearer ${key.key}`;
    const body = { to: 'ada@example.test', from: 'a@shop.test', subject: 'Later', html: '<p>Later</p>' };
    const scheduled_at = new Date(at).toISOString();
    const sent = await app.call('POST', '/v1/emails', { ...body, scheduled_at }, { authorization });
    id = sent.json.data.id;
    expect((await app.call('DELETE', `/v1/api-keys/${key.id}`)).status).toBe(204);
    expect((await app.call('DELETE', '/v1/domains/shop.test')).status).toBe(204);
    expect((await app.call('GET', '/v1/emails', undefined, { authorization })).status).toBe(401);

    await advanceTo(at);
    expect(await read()).toMatchObject({ status: 'delivered', sent_at: scheduled_at });
    expect(await eventTypes()).toEqual(['email.sent', 'email.delivered']);
  });

  it('is never sent after it was cancelled', async () => {
    expect((await app.call('DELETE', `/v1/emails/${id}`)).json.data).toEqual({ id, status: 'cancelled' });
    await advanceTo(at + HOUR);
    expect(await read()).toMatchObject({ status: 'cancelled', sent_at: null });
    expect(await eventTypes()).toEqual([]);
  });
});
