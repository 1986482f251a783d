import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverFlags } from '../../../src/cli/server/flags/server.js';
import { openEmbedded } from '../../../src/cli/target/embedded.js';
import { Client } from '../../../src/client/client.js';
import { readDuration } from '../../../src/contract/vocabulary/durations.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { deliveredHtml, eventsOf, fetchFromMail, linksIn, pixelUrl } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { detailOf, recipientsOf, send, typesOf } from '../../support/simulation.js';
import { exportFrom, importInto } from '../../support/state.js';

/** Gap 42, on a frozen clock. */

const NOON = Date.parse('2026-06-01T12:00:00.000Z');
const DELAY = 200;
const ADA = 'ada@example.test';
const ANYWHERE = { host: '127.0.0.1', port: 0 };

describe('a delivery', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ deliveryDelayMs: DELAY });
    await setClock(NOON);
  });

  afterEach(() => app.closeClean());

  const setClock = (now: number) =>
    app.call('PATCH', '/_svc/clock', { now: new Date(now).toISOString(), frozen: true });
  const advance = async (ms: number) => (await app.call('POST', '/_svc/clock/advance', { by: `${ms}ms` })).json.data;
  const at = (ms: number) => new Date(NOON + ms).toISOString();

  it('happens 200 ms after email.sent on the service’s clock, and not before', async () => {
    const id = await send(app, ADA);
    await advance(DELAY - 1);
    expect(await detailOf(app, id)).toMatchObject({ status: 'sent', sent_at: at(0), delivered_at: null });
    expect((await app.call('GET', '/v1/emails')).json.data.emails[0]).not.toHaveProperty('delivered_at');

    expect((await advance(1)).ran).toEqual({ 'email.deliver': 1 });

    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered', delivered_at: at(DELAY) });
    expect(await eventsOf(app, id, 'email.delivered')).toMatchObject([{ to: ADA, delivered_at: at(DELAY) }]);
  });

  it('happens at its time while a receiver has all of its attempts', async () => {
    const receiver = await startReceiver(() => {});
    await app.close();
    app = await startApp({ deliveryDelayMs: DELAY, webhookTimeoutMs: 600_000 });
    await app.listen({ http: ANYWHERE, smtp: ANYWHERE });
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    const isDelivered = async (id: string) => (await detailOf(app, id)).status === 'delivered';
    const earlier = await Promise.all(Array.from({ length: 9 }, () => send(app, ADA)));
    await expect.poll(() => receiver.received).toHaveLength(8);
    for (const each of earlier) await expect.poll(() => isDelivered(each)).toBe(true);

    const id = await send(app, ADA);
    await expect.poll(() => isDelivered(id)).toBe(true);
    await receiver.close();
  });

  it('has a delay of 200 ms by default', () => {
    expect(readDuration(serverFlags['delivery-delay'].default as string)).toBe(DELAY);
  });

  it('and every other outcome has the delay before its first step; later steps follow at once', async () => {
    const ids = await Promise.all(
      ['bounced', 'complained', 'clicked'].map((outcome) => send(app, `${outcome}@simulator.test`)),
    );
    await advance(DELAY - 1);
    for (const id of ids) expect(await typesOf(app, id)).toEqual(['sent']);

    await advance(1);

    const types = await Promise.all(ids.map((id) => typesOf(app, id)));
    expect(types).toEqual([
      ['sent', 'bounced'],
      ['sent', 'delivered', 'complained'],
      ['sent', 'delivered', 'opened', 'clicked'],
    ]);
  });

  it('has the delay of its rule instead, and is within the send if that is 0', async () => {
    await app.call('POST', '/_svc/rules', { to: 'slow@*', outcome: 'delivered', delay: '1s' });
    await app.call('POST', '/_svc/rules', { to: 'fast@*', outcome: 'delivered', delay: '0s' });
    const [slow, fast] = [await send(app, 'slow@example.test'), await send(app, 'fast@example.test')];
    const deferred = await send(app, 'deferred@simulator.test');
    expect(await detailOf(app, fast)).toMatchObject({ status: 'delivered', delivered_at: at(0) });

    await advance(300_000);

    expect(await detailOf(app, slow)).toMatchObject({ delivered_at: at(1_000) });
    expect(await detailOf(app, deferred)).toMatchObject({ delivered_at: at(300_000) });
  });

  it('does not delay a dropped recipient, which changes no status', async () => {
    await app.call('POST', '/_svc/suppressions', { address: ADA });
    const email = { from: 'shop@example.test', subject: 'Hi', html: 'Hi' };
    const alone = (await app.call('POST', '/v1/emails', { ...email, to: ADA })).json.data;
    expect([alone.status, await typesOf(app, alone.id)]).toEqual(['sent', ['dropped']]);
    const receipt = await app.call('POST', '/v1/emails', { ...email, to: [ADA, 'Bob@Example.test'] });
    const { id, status } = receipt.json.data;
    expect([status, await typesOf(app, id)]).toEqual(['sent', ['dropped', 'sent']]);

    await advance(DELAY);

    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered', delivered_at: at(DELAY) });
    expect((await app.call('GET', '/v1/emails?status=dropped')).status).toBe(400);
  });

  it('leaves the email sent while a recipient is pending; delivered_at is the last delivery', async () => {
    const id = await send(app, [ADA, 'deferred@simulator.test']);
    await advance(DELAY);
    expect(await recipientsOf(app, id)).toEqual({ [ADA]: 'delivered', 'deferred@simulator.test': 'sent' });
    expect(await detailOf(app, id)).toMatchObject({ status: 'sent', delivered_at: null });

    await advance(300_000);

    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered', delivered_at: at(300_000) });
  });

  it('to 1,000 recipients is one email that is delivered to each once', async () => {
    const to = Array.from({ length: 1_000 }, (_, index) => `r${index}@example.test`);
    const id = await send(app, to);
    await advance(DELAY + 1_000);
    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered' });
    expect(new Set((await eventsOf(app, id, 'email.delivered')).map(({ to }) => to)).size).toBe(1_000);
    expect(await eventsOf(app, id, 'email.delivered')).toHaveLength(1_000);
  });

  it('is replaced by a simulated outcome, which happens immediately', async () => {
    const [bounced, paused] = [await send(app, ADA), await send(app, 'bob@example.test')];
    await app.call('POST', `/_svc/emails/${bounced}/simulate`, { outcome: 'bounced' });
    await app.call('POST', `/_svc/emails/${paused}/simulate`, { outcome: 'none' });
    expect(await typesOf(app, bounced)).toEqual(['sent', 'bounced']);

    await advance(60_000);

    expect(await typesOf(app, bounced)).toEqual(['sent', 'bounced']);
    expect(await typesOf(app, paused)).toEqual(['sent']);
  });

  it('precedes an open or a click that comes earlier', async () => {
    const [opened, clicked] = [await send(app, ADA), await send(app, 'complained@simulator.test')];
    await fetchFromMail(app, pixelUrl(await deliveredHtml(app, opened)));
    await fetchFromMail(app, linksIn(await deliveredHtml(app, clicked))[0] ?? '');

    expect(await typesOf(app, opened)).toEqual(['sent', 'delivered', 'opened']);
    expect((await typesOf(app, clicked)).slice(0, 3)).toEqual(['sent', 'delivered', 'clicked']);
    expect(await detailOf(app, opened)).toMatchObject({ status: 'delivered', delivered_at: at(0), opens_count: 1 });

    await advance(DELAY);
    expect(await typesOf(app, opened)).toEqual(['sent', 'delivered', 'opened']);
    expect(await typesOf(app, clicked)).toEqual(['sent', 'delivered', 'clicked', 'complained']);
  });

  it('does not precede an open of a bounced email', async () => {
    const id = await send(app, 'bounced@simulator.test');
    await fetchFromMail(app, pixelUrl(await deliveredHtml(app, id)));
    await advance(DELAY);
    expect(await typesOf(app, id)).toEqual(['sent', 'bounced']);
  });

  it('keeps the rest of its delay when the clock is set back', async () => {
    const id = await send(app, ADA);
    await advance(DELAY - 50);
    await setClock(NOON - 86_400_000);
    await advance(49);
    expect((await detailOf(app, id)).status).toBe('sent');
    expect((await advance(1)).ran).toEqual({ 'email.deliver': 1 });
    expect((await detailOf(app, id)).delivered_at).toBe(at(50 - 86_400_000));
    expect((await advance(2 * 86_400_000)).ran).toEqual({});
  });

  it('follows at once while the clock is moved, so that the clock does not stop for each new email', async () => {
    const replies: Promise<string>[] = [];
    const receiver = await startReceiver((response) => {
      if (replies.length === 0) replies.push(send(app, 'reply@example.test'));
      response.end();
    });
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    await send(app, ADA, { scheduled_at: at(1_000) });

    await advance(60_000);

    const reply = await detailOf(app, await (replies[0] as Promise<string>));
    expect(reply).toMatchObject({ status: 'delivered', delivered_at: reply.sent_at });
    await receiver.close();
  });

  it('precedes an export', async () => {
    const id = await send(app, [ADA, 'complained@simulator.test']);
    const archive = await exportFrom(app);
    expect(await recipientsOf(app, id)).toMatchObject({ [ADA]: 'delivered' });

    await importInto(app, archive);

    expect(await recipientsOf(app, id)).toMatchObject({ [ADA]: 'delivered' });
  });
});

describe('a delivery that is pending', () => {
  it('keeps the rest of its delay when the clock is frozen, and is at most 50 ms late', async () => {
    const app = await startApp({ deliveryDelayMs: 60_000 });
    const setFrozen = async (frozen: boolean) => (await app.call('PATCH', '/_svc/clock', { frozen })).json.data;
    // On a busy machine, time passes between the event and the plan of the delivery.
    await setFrozen(true);
    const id = await send(app, ADA);
    const sentAt = Date.parse((await app.read(`/_svc/emails/${id}`)).events[0].created_at);
    await setFrozen(false);
    const { now } = await setFrozen(true);
    const advance = (ms: number) => app.call('POST', '/_svc/clock/advance', { by: `${ms}ms` });

    await advance(sentAt + 60_000 - 1 - Date.parse(now));
    expect((await detailOf(app, id)).status).toBe('sent');
    await advance(1 + 50);

    const { status, delivered_at } = await detailOf(app, id);
    expect(status).toBe('delivered');
    expect(Date.parse(delivered_at) - sentAt).toBeGreaterThanOrEqual(60_000);
    await app.closeClean();
  });

  it('precedes a stop of the server', async () => {
    const directory = temporaryDirectory();
    const storage = { file: join(directory.path, 'mail.db') };
    const first = await startApp({ storage, deliveryDelayMs: 60_000 });
    const id = await send(first, ADA);
    const refused = await send(first, [ADA, 'bob@example.test'], { headers: { 'x-service-simulate': 'bounced' } });
    const mixed = await send(first, [ADA, 'bounced@simulator.test', 'bob@example.test']);
    expect((await detailOf(first, id)).status).toBe('sent');
    await first.closeClean();

    const second = await startApp({ storage });
    expect((await detailOf(second, id)).status).toBe('delivered');
    expect(await typesOf(second, refused)).toEqual(['sent', 'sent', 'bounced', 'bounced']);
    expect(await detailOf(second, mixed)).toMatchObject({ status: 'bounced' });
    expect(await recipientsOf(second, mixed)).toEqual({
      [ADA]: 'delivered',
      'bounced@simulator.test': 'bounced',
      'bob@example.test': 'delivered',
    });
    await second.closeClean();
    directory.remove();
  });
});

it('a delivery by a command that works in-process takes no time', async () => {
  const directory = temporaryDirectory();
  const { baseUrl, apiKey, fetch, finish } = await openEmbedded(join(directory.path, 'data'));
  const client = new Client({ baseUrl, apiKey, userAgent: 'test', fetch });
  const body = { to: ADA, from: 'shop@example.test', subject: 'Hi', html: 'Hi' };

  const { id } = await client.call('emails.send', { body });
  // The command has not ended yet, so its end did not perform the delivery.
  const { status } = await client.call('emails.get', { params: { id } });
  await finish();
  directory.remove();

  expect(status).toBe('delivered');
});
