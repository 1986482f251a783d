import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveredHtml, eventsOf, fetchFromMail, linksIn, pixelUrl } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, send } from '../../support/simulation.js';

const ADA = 'ada@example.test';
const HTML = '<p>Hi <a href="https://shop.test/order?id=7&amp;ref=mail#top">your order</a></p>';
const LINK = 'https://shop.test/order?id=7&ref=mail#top';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Thunderbird/128.0',
  origin: 'https://webmail.example',
  'sec-fetch-site': 'cross-site',
};

describe('tracking opens and clicks', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  it('records each open with its client, and the first one as opened_at', async () => {
    app.clock.freeze();
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const pixel = pixelUrl(await deliveredHtml(app, id));

    const firstAt = app.clock.now() + 60_000;
    app.clock.set(firstAt);
    const image = await fetchFromMail(app, pixel, { headers: BROWSER });
    app.clock.set(firstAt + 60_000);
    await fetchFromMail(app, pixel, { headers: BROWSER });

    expect(image).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/gif', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
    expect(image.body.subarray(0, 6).toString()).toBe('GIF89a');
    expect(await detailOf(app, id)).toMatchObject({
      status: 'delivered',
      opens_count: 2,
      clicks_count: 0,
      opened_at: new Date(firstAt).toISOString(),
    });
    expect((await eventsOf(app, id, 'email.opened'))[0]).toEqual({
      email_id: id,
      to: 'ada@example.test',
      opened_at: new Date(firstAt).toISOString(),
      ip_address: '127.0.0.1',
      user_agent: BROWSER['user-agent'],
      location: { country: null, city: null },
    });
  });

  it('records a click and redirects to the original link', async () => {
    app.clock.freeze();
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const [link = ''] = linksIn(await deliveredHtml(app, id));

    const answer = await fetchFromMail(app, link, { headers: BROWSER });

    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: LINK,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(await detailOf(app, id)).toMatchObject({
      status: 'delivered',
      opens_count: 0,
      opened_at: null,
      clicks_count: 1,
    });
    expect(await eventsOf(app, id, 'email.clicked')).toEqual([
      {
        email_id: id,
        to: 'ada@example.test',
        clicked_at: new Date(app.clock.now()).toISOString(),
        url: LINK,
        ip_address: '127.0.0.1',
        user_agent: BROWSER['user-agent'],
        location: { country: null, city: null },
      },
    ]);
  });

  it('counts opens and clicks in the analytics', async () => {
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const html = await deliveredHtml(app, id);
    await fetchFromMail(app, pixelUrl(html));
    await fetchFromMail(app, linksIn(html)[0] ?? '');

    const { total } = (await app.call('GET', '/v1/analytics/emails')).json.data;
    expect(total).toMatchObject({ sent: 1, delivered: 1, opened: 1, clicked: 1 });
  });

  it('records nothing for HEAD', async () => {
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const html = await deliveredHtml(app, id);
    const [link = ''] = linksIn(html);

    const image = await fetchFromMail(app, pixelUrl(html), { method: 'HEAD' });
    const click = await fetchFromMail(app, link, { method: 'HEAD' });
    await app.drain();

    expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/gif' } });
    expect(click).toMatchObject({ status: 302, headers: { location: LINK } });
    expect(await detailOf(app, id)).toMatchObject({ opens_count: 0, clicks_count: 0 });
  });

  it('records an open that precedes the delivery after it', async () => {
    const id = await send(app, 'complained@simulator.test', { html: HTML });
    const html = await deliveredHtml(app, id);

    await fetchFromMail(app, pixelUrl(html));
    expect(await detailOf(app, id)).toMatchObject({ status: 'sent', opens_count: 0 });
    await app.drain();

    expect(await detailOf(app, id)).toMatchObject({ status: 'complained', opens_count: 1 });
    const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'email.sent',
      'email.delivered',
      'email.opened',
      'email.complained',
    ]);
  });

  it('ignores fetches of an email that has not been sent, and still follows its links', async () => {
    app.clock.freeze();
    const scheduled_at = new Date(app.clock.now() + 3_600_000).toISOString();
    const id = await send(app, ADA, { html: HTML, scheduled_at });
    const html = await deliveredHtml(app, id);

    await fetchFromMail(app, pixelUrl(html));
    const click = await fetchFromMail(app, linksIn(html)[0] ?? '');
    await app.drain();
    expect(click).toMatchObject({ status: 302, headers: { location: LINK } });
    expect(await detailOf(app, id)).toMatchObject({ status: 'scheduled', opens_count: 0, clicks_count: 0 });

    app.clock.set(app.clock.now() + 3_600_000);
    await app.drain();
    expect(await detailOf(app, id)).toMatchObject({ status: 'delivered', opens_count: 0, clicks_count: 0 });
    expect(await deliveredHtml(app, id)).toBe(html);
    await fetchFromMail(app, pixelUrl(html));
    expect(await detailOf(app, id)).toMatchObject({ opens_count: 1 });
  });

  it('keeps no more of a user agent than 512 characters, and no control characters', async () => {
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const pixel = pixelUrl(await deliveredHtml(app, id));
    await fetchFromMail(app, pixel, { headers: { 'user-agent': `a\u0085b\tc${'x'.repeat(600)}` } });
    const [opened] = await eventsOf(app, id, 'email.opened');
    expect(opened?.user_agent).toBe(`abc${'x'.repeat(509)}`);
  });

  it('answers only to its own host name', async () => {
    const id = await send(app, ADA, { html: HTML });
    await app.drain();
    const pixel = pixelUrl(await deliveredHtml(app, id));
    const refused = await fetchFromMail(app, pixel, { headers: { host: 'rebound.example' } });
    expect(refused.status).toBe(403);
    expect(await detailOf(app, id)).toMatchObject({ opens_count: 0 });
  });
});
