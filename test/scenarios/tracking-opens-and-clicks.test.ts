import { copyFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { temporaryDirectory } from '../support/binary.js';
import {
  deliveredHtml,
  eventsOf,
  fetchContent,
  fetchFromMail,
  pixelUrl,
  rawMessage,
  TRACKED_LINK,
} from '../support/delivered.js';

const HTML =
  '<html><body><p>Hi <a href="https://shop.test/order?id=7&amp;ref=mail#top">your order</a></p></body></html>';
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

  afterEach(async () => {
    await app.close();
    expect(app.faults).toEqual([]);
  });

  async function send(overrides: Record<string, unknown> = {}): Promise<string> {
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Order', html: HTML, ...overrides };
    const sent = await app.call('POST', '/v1/emails', body);
    expect(sent.status).toBe(201);
    return sent.json.data.id;
  }

  async function detail(id: string) {
    return (await app.call('GET', `/v1/emails/${id}`)).json.data;
  }

  function linksIn(html: string): string[] {
    return html.match(TRACKED_LINK) ?? [];
  }

  it('delivers a pixel and rewritten links, and keeps the original as it was written', async () => {
    const id = await send();
    await app.drain();

    const html = await deliveredHtml(app, id);

    expect(linksIn(html)).toHaveLength(1);
    expect(html).not.toContain('shop.test');
    expect(html.indexOf('<img ')).toBeLessThan(html.indexOf('</body>'));
    expect((await detail(id)).html).toBe(HTML);
    expect((await rawMessage(app, id)).toString()).not.toContain('shop.test/order');
  });

  it('records each open with who fetched it, and the first one as opened_at', async () => {
    app.clock.freeze();
    const id = await send();
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
    expect(await detail(id)).toMatchObject({
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

  it('records a click and redirects to the link that was in the mail', async () => {
    app.clock.freeze();
    const id = await send();
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
    expect(await detail(id)).toMatchObject({ status: 'delivered', opens_count: 0, opened_at: null, clicks_count: 1 });
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
    const id = await send();
    await app.drain();
    const html = await deliveredHtml(app, id);
    await fetchFromMail(app, pixelUrl(html));
    await fetchFromMail(app, linksIn(html)[0] ?? '');

    const { total } = (await app.call('GET', '/v1/analytics/emails')).json.data;
    expect(total).toMatchObject({ sent: 1, delivered: 1, opened: 1, clicked: 1 });
  });

  it('gives each recipient links of their own', async () => {
    const id = await send({ to: 'Ada <ada@example.test>', cc: 'bob@example.test', bcc: 'eve@example.test' });
    await app.drain();
    const ofBob = await deliveredHtml(app, id, 'Bob@example.test');
    const ofEve = await deliveredHtml(app, id, 'eve@example.test');

    await fetchFromMail(app, pixelUrl(ofBob));
    await fetchFromMail(app, linksIn(ofEve)[0] ?? '');

    expect(new Set([pixelUrl(await deliveredHtml(app, id)), pixelUrl(ofBob), pixelUrl(ofEve)]).size).toBe(3);
    expect(await eventsOf(app, id, 'email.opened')).toMatchObject([{ to: 'bob@example.test' }]);
    expect(await eventsOf(app, id, 'email.clicked')).toMatchObject([{ to: 'eve@example.test' }]);
    const stranger = await fetchContent(app, `/emails/${id}/raw?recipient=nobody@example.test`);
    expect(stranger.status).toBe(404);
  });

  it('names no recipient in a link', async () => {
    const id = await send({ bcc: 'eve@example.test' });
    const html = await deliveredHtml(app, id, 'eve@example.test');
    for (const url of [pixelUrl(html), ...linksIn(html)]) {
      expect(url).not.toContain('eve');
      expect(Buffer.from(url.split('~')[1] ?? '', 'base64url').toString('latin1')).not.toContain('eve');
    }
  });

  it.each([
    { track_opens: false, track_clicks: true, pixels: 0, links: 1 },
    { track_opens: true, track_clicks: false, pixels: 1, links: 0 },
    { track_opens: false, track_clicks: false, pixels: 0, links: 0 },
  ])(
    'does what track_opens $track_opens and track_clicks $track_clicks ask for',
    async ({ pixels, links, ...flags }) => {
      const id = await send(flags);
      const html = await deliveredHtml(app, id);
      expect(html.match(/\/t\/o\//g) ?? []).toHaveLength(pixels);
      expect(linksIn(html)).toHaveLength(links);
      if (pixels + links === 0) expect(html).toBe(HTML);
    },
  );

  it('records nothing for HEAD', async () => {
    const id = await send();
    await app.drain();
    const html = await deliveredHtml(app, id);
    const [link = ''] = linksIn(html);

    const image = await fetchFromMail(app, pixelUrl(html), { method: 'HEAD' });
    const click = await fetchFromMail(app, link, { method: 'HEAD' });
    await app.drain();

    expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/gif' } });
    expect(click).toMatchObject({ status: 302, headers: { location: LINK } });
    expect(await detail(id)).toMatchObject({ opens_count: 0, clicks_count: 0 });
  });

  it('keeps an open that comes before the delivery until after it', async () => {
    const id = await send({ to: 'complained@simulator.test' });
    const html = await deliveredHtml(app, id);

    await fetchFromMail(app, pixelUrl(html));
    expect(await detail(id)).toMatchObject({ status: 'sent', opens_count: 0 });
    await app.drain();

    expect(await detail(id)).toMatchObject({ status: 'complained', opens_count: 1 });
    const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'email.sent',
      'email.delivered',
      'email.opened',
      'email.complained',
    ]);
  });

  it('ignores fetches of a mail that has not been sent, and follows its links all the same', async () => {
    app.clock.freeze();
    const scheduled_at = new Date(app.clock.now() + 3_600_000).toISOString();
    const id = await send({ scheduled_at });
    const html = await deliveredHtml(app, id);

    await fetchFromMail(app, pixelUrl(html));
    const click = await fetchFromMail(app, linksIn(html)[0] ?? '');
    await app.drain();
    expect(click).toMatchObject({ status: 302, headers: { location: LINK } });
    expect(await detail(id)).toMatchObject({ status: 'scheduled', opens_count: 0, clicks_count: 0 });

    app.clock.set(app.clock.now() + 3_600_000);
    await app.drain();
    expect(await detail(id)).toMatchObject({ status: 'delivered', opens_count: 0, clicks_count: 0 });
    expect(await deliveredHtml(app, id)).toBe(html);
    await fetchFromMail(app, pixelUrl(html));
    expect(await detail(id)).toMatchObject({ opens_count: 1 });
  });

  it('keeps no more of a user agent than 512 characters, and no control characters', async () => {
    const id = await send();
    await app.drain();
    const pixel = pixelUrl(await deliveredHtml(app, id));
    await fetchFromMail(app, pixel, { headers: { 'user-agent': `a\u0085b\tc${'x'.repeat(600)}` } });
    const [opened] = await eventsOf(app, id, 'email.opened');
    expect(opened?.user_agent).toBe(`abc${'x'.repeat(509)}`);
  });

  it('answers no host name but its own', async () => {
    const id = await send();
    await app.drain();
    const pixel = pixelUrl(await deliveredHtml(app, id));
    const refused = await fetchFromMail(app, pixel, { headers: { host: 'rebound.example' } });
    expect(refused.status).toBe(403);
    expect(await detail(id)).toMatchObject({ opens_count: 0 });
  });

  it('leaves mail that came by SMTP as it is', async () => {
    const { smtp } = await app.listen({
      http: { host: '127.0.0.1', port: 0 },
      smtp: { host: '127.0.0.1', port: 0 },
    });
    const message = `Subject: Hi\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n`;
    await deliverBySmtp(smtp.port, message);
    const [{ id }] = (await app.call('GET', '/v1/emails')).json.data.emails;

    expect((await rawMessage(app, id)).toString()).toBe(message);
    expect((await deliveredHtml(app, id)).trim()).toBe(HTML);
  });
});

describe('the secret of tracking links', () => {
  it('is kept in the data directory, so that a restart leaves links as they are, and is of that directory alone', async () => {
    const directory = temporaryDirectory();
    const [file, copy] = [join(directory.path, 'mail.db'), join(directory.path, 'copy.db')];
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Order', html: HTML };
    const sender = await startApp({ storage: { file } });
    const id = (await sender.call('POST', '/v1/emails', body)).json.data.id;
    await sender.drain();
    await sender.close();
    // The same mail in another directory, which makes a secret of its own.
    copyFileSync(file, copy);
    const first = await startApp({ storage: { file } });
    const html = await deliveredHtml(first, id);
    await first.close();

    const second = await startApp({ storage: { file } });
    const other = await startApp({ storage: { file: copy } });
    expect(await deliveredHtml(second, id)).toBe(html);
    expect((await fetchFromMail(second, pixelUrl(html))).status).toBe(200);
    expect(pixelUrl(await deliveredHtml(other, id))).not.toBe(pixelUrl(html));
    expect((await fetchFromMail(other, pixelUrl(html))).status).toBe(404);

    await second.close();
    await other.close();
    directory.remove();
  });
});

/** One message over SMTP, typed as a client would: it is given to the server in whole, and its replies are read to the end. */
function deliverBySmtp(port: number, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const steps = [
      'EHLO client.test',
      'MAIL FROM:<shop@example.test>',
      'RCPT TO:<ada@example.test>',
      'DATA',
      `${message}.`,
      'QUIT',
    ];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      const reply = chunk.toString().trimEnd().split('\r\n').at(-1) ?? '';
      if (/^[45]/.test(reply)) reject(new Error(reply));
      const step = /^\d{3} /.test(reply) ? steps.shift() : undefined;
      if (step !== undefined) socket.write(`${step}\r\n`);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}
