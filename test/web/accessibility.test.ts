import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type InboxServer,
  launchBrowser,
  openContext,
  openPage,
  startInbox,
  withoutBrowser,
} from '../support/web/browser.js';
import { dataViews } from '../support/web/views/data-views.js';
import { emailViews } from '../support/web/views/email-views.js';
import { toolViews } from '../support/web/views/tool-views.js';
import { DOMAIN, type Ids, type View } from '../support/web/views/view.js';

/** Checks every view with axe-core, in both themes, on a desktop and on a phone. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const views: readonly View[] = [...emailViews, ...toolViews, ...dataViews];
const ids: Ids = { email: '', template: '', delivery: '', request: '' };
let browser: Browser;
let server: InboxServer;
let empty: InboxServer;

describe.skipIf(withoutBrowser)(`the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, empty] = await Promise.all([launchBrowser(), startInbox(), startInbox()]);
    await server.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/hooks', events: ['email.sent'] });
    await server.call('POST', '/_svc/rules', { to: '*@corp.test', outcome: 'bounced', times: 2 });
    await server.send({ subject: 'Second' });
    await server.send({ to: 'bounced@simulator.test', subject: 'Bounces' });
    await server.call('POST', '/v1/domains', { domain: DOMAIN });
    await server.call('PATCH', `/_svc/dns/${DOMAIN}`, { published: false });
    await server.call('POST', '/_svc/suppressions', { address: 'eve@example.test' });
    ids.email = await server.send({
      subject: 'Reset your password',
      html: '<p>Your code is 482913.</p><a href="https://shop.example/reset?t=1">Reset password</a>',
      tags: ['account'],
      attachments: [{ filename: 'notes.txt', content: 'bm90ZXM=', contentType: 'text/plain' }],
    });
    const { json } = await server.call('POST', '/v1/templates', {
      name: 'welcome',
      subject: 'Welcome',
      html: '<p>Welcome, {{name}}</p>',
      text: 'Welcome',
    });
    ids.template = json.data.id;
  });
  beforeAll(async () => {
    // The server refuses the connection: the port of its webhook is that of no server.
    const webhook = { url: 'http://127.0.0.1:9/hooks', events: ['email.sent'], secret: 'whsec_1' };
    await server.call('POST', '/v1/webhooks', webhook);
    await server.call('POST', '/_svc/events/trigger', { type: 'email.sent' });
    await server.call('POST', '/_svc/clock/advance', { by: '1s' });
    ids.delivery = (await server.read('/_svc/deliveries')).deliveries[0].id;
    await server.call('POST', '/v1/domains', { domain: 'second.example.com', misspelled: 1 });
    ids.request = (await server.read('/_svc/requests')).requests[0].request_id;
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.closeClean(), empty.closeClean()]);
  });

  describe.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 390 },
  ] as const)('in the $theme theme, $width pixels wide', ({ theme, width }) => {
    // Its pages share the cached scripts.
    let context: BrowserContext;

    beforeAll(async () => {
      context = await openContext(browser, { colorScheme: theme, viewport: { width, height: 800 } });
    });
    afterAll(() => context.close());
    // A view may have moved the clock, or kept something in the browser.
    afterEach(async () => {
      await server.call('PATCH', '/_svc/clock', { offset_ms: 0 });
      for (const page of context.pages()) {
        await page.evaluate('localStorage.clear()');
        await page.close();
      }
    });

    it.each(views)('has no violation in $name', async ({ path = '/', isEmpty, show }) => {
      const { origin } = isEmpty ? empty : server;
      const { page, problems } = await openPage(context, origin + (typeof path === 'string' ? path : path(ids)));
      await show(page);
      await page.evaluate(axe);

      const found = await page.evaluate(violations);

      expect(found).toEqual([]);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(problems.join('\n')).toBe('');
    });
  });
});

/** Runs in the page. The content of the email's frame is its author's. */
async function violations(): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: axe-core adds itself to the page
  const { axe } = globalThis as any;
  const { violations } = await axe.run({ exclude: ['iframe'] });
  // biome-ignore lint/suspicious/noExplicitAny: as axe-core returns it
  return violations.flatMap(({ id, help, nodes }: any) => nodes.map((node: any) => `${id}: ${help}: ${node.html}`));
}
