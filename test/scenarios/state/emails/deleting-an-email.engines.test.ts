import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { startReceiver } from '../../../support/servers/receiver.js';
import { send } from '../../../support/simulation.js';
import { capturedBy } from '../../exec/running.js';

describe('DELETE /_svc/emails/{id}', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(() => app.closeClean());

  const remove = async (id: string) => (await app.call('DELETE', `/_svc/emails/${id}`)).status;
  const summary = async () => (await app.call('GET', '/_svc/summary')).json.data;

  it('deletes an email with its events', async () => {
    const kept = await send(app, 'ada@example.test');
    const deleted = await send(app, 'bob@example.test', { html: 'x'.repeat(3_000_000) });
    await app.drain();

    expect(await remove(deleted)).toBe(204);

    for (const path of ['/v1/emails/', '/_svc/emails/']) {
      expect((await app.call('GET', path + deleted)).status).toBe(404);
      expect((await app.call('GET', path + kept)).status).toBe(200);
    }
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(1);
    const ids: unknown[] = [];
    for await (const { data } of capturedBy(app).events()) ids.push((data as { email_id: string }).email_id);
    expect(ids).toEqual([kept, kept]);
    expect(await remove(deleted)).toBe(404);
  });

  it('ends what is pending for the email', async () => {
    const scheduled = await send(app, 'ada@example.test', { scheduled_at: new Date(app.clock.now() + 60_000) });
    expect(await remove(scheduled)).toBe(204);

    expect((await app.call('POST', '/_svc/clock/advance', { by: '2m' })).status).toBe(200);

    expect((await app.call('GET', '/_svc/info')).json.data.last_event).toBe(0);
  });

  it('is counted: the summary has the number of emails by status, and of webhooks that fail', async () => {
    const codes = [500, 200];
    const receivers = await Promise.all(
      codes.map((code) => startReceiver((response) => void response.writeHead(code).end())),
    );
    for (const { url } of receivers) await app.call('POST', '/v1/webhooks', { url, events: ['email.delivered'] });
    expect(await summary()).toEqual({ emails: {}, unread: 0, failing_webhooks: 0 });

    await send(app, 'ada@example.test');
    const bounced = await send(app, 'bounced@simulator.test');
    await app.drain();
    expect(await summary()).toEqual({ emails: { delivered: 1, bounced: 1 }, unread: 2, failing_webhooks: 1 });
    // A replay to another URL makes a temporary webhook, which no list shows.
    const [failing] = receivers;
    const { deliveries } = (await app.call('GET', '/_svc/deliveries')).json.data;
    const replayed = { event_id: deliveries[0].event_id, to: failing?.url };
    expect((await app.call('POST', '/_svc/deliveries/replay', replayed)).status).toBe(201);
    await app.drain();
    expect((await summary()).failing_webhooks).toBe(1);

    await remove(bounced);
    expect((await summary()).emails).toEqual({ delivered: 1 });
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });
});
