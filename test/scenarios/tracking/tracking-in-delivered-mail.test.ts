import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import {
  deliveredHtml,
  eventsOf,
  fetchContent,
  fetchFromMail,
  linksIn,
  pixelUrl,
  rawMessage,
} from '../../support/mail/delivered.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, send } from '../../support/simulation.js';

const ADA = 'ada@example.test';
const HTML = '<html><body><p>Hi <a href="https://shop.test/order?id=7">your order</a></p></body></html>';

describe('tracking in delivered emails', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  it('delivers a pixel and rewritten links, and keeps the original unchanged', async () => {
    const id = await send(app, ADA, { html: HTML });
    await app.drain();

    const html = await deliveredHtml(app, id);

    expect(linksIn(html)).toHaveLength(1);
    expect(html).not.toContain('shop.test');
    expect(html.indexOf('<img ')).toBeLessThan(html.indexOf('</body>'));
    expect((await detailOf(app, id)).html).toBe(HTML);
    expect((await rawMessage(app, id)).toString()).not.toContain('shop.test/order');
  });

  it('gives each recipient their own links', async () => {
    const id = await send(app, `Ada <${ADA}>`, { html: HTML, cc: 'bob@example.test', bcc: 'eve@example.test' });
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

  it('does not name the recipient in a link', async () => {
    const id = await send(app, ADA, { html: HTML, bcc: 'eve@example.test' });
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
  ])('follows track_opens $track_opens and track_clicks $track_clicks', async ({ pixels, links, ...flags }) => {
    const id = await send(app, ADA, { html: HTML, ...flags });
    const html = await deliveredHtml(app, id);
    expect(html.match(/\/t\/o\//g) ?? []).toHaveLength(pixels);
    expect(linksIn(html)).toHaveLength(links);
    if (pixels + links === 0) expect(html).toBe(HTML);
  });

  it('does not change messages received over SMTP', async () => {
    const { smtp } = await app.listen({
      http: { host: '127.0.0.1', port: 0 },
      smtp: { host: '127.0.0.1', port: 0 },
    });
    const message = `Subject: Hi\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n`;
    expect(await deliver(smtp, message)).toMatch(/^250 /);
    const [{ id }] = (await app.call('GET', '/v1/emails')).json.data.emails;

    expect((await rawMessage(app, id)).toString()).toBe(message);
    expect((await deliveredHtml(app, id)).trim()).toBe(HTML);
  });
});

describe('the secret of tracking links', () => {
  it('is kept in the data directory, so that a restart does not change links, and differs from other directories', async () => {
    const directory = temporaryDirectory();
    const [file, copy] = [join(directory.path, 'mail.db'), join(directory.path, 'copy.db')];
    const sender = await startApp({ storage: { file } });
    const id = await send(sender, ADA, { html: HTML });
    await sender.drain();
    await sender.close();
    // The same email in another directory, which creates its own secret.
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
