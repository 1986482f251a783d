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
import { tooWide } from '../support/web/too-wide.js';
import { dataViews } from '../support/web/views/data-views.js';
import { emailViews } from '../support/web/views/email-views.js';
import { fillViews } from '../support/web/views/fill-views.js';
import { toolViews } from '../support/web/views/tool-views.js';
import type { Ids, View } from '../support/web/views/view.js';

/** Checks every view with axe-core, in both themes, wide and narrow, and that it fits in its width. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const views: readonly View[] = [...emailViews, ...toolViews, ...dataViews];
let ids: Ids;
let browser: Browser;
/** Its pages share the cached scripts. */
let context: BrowserContext;
let server: InboxServer;
let empty: InboxServer;

describe.skipIf(withoutBrowser)(`the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, empty] = await Promise.all([launchBrowser(), startInbox(), startInbox()]);
    ids = await fillViews(server);
    context = await openContext(browser);
  });
  // A view may have moved the clock, or kept something in the browser.
  afterEach(async () => {
    await server.call('PATCH', '/_svc/clock', { offset_ms: 0 });
    for (const page of context.pages()) {
      await page.evaluate('localStorage.clear()');
      await page.close();
    }
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.closeClean(), empty.closeClean()]);
  });

  it.each(views)('has no violation in $name', async ({ path = '/', isEmpty, show }) => {
    const { origin } = isEmpty ? empty : server;
    const { page, problems } = await openPage(context, origin + (typeof path === 'string' ? path : path(ids)));
    await show(page);
    await page.evaluate(axe);

    await check('in the light theme');
    await page.emulateMedia({ colorScheme: 'dark' });
    await check('in the dark theme');
    // What is open stays open when a window becomes narrow.
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 800 });
    await check('360 pixels wide');
    expect(problems.join('\n')).toBe('');

    async function check(how: string): Promise<void> {
      expect(await page.evaluate(violations), how).toEqual([]);
      expect(await page.locator('h1').count(), how).toBe(1);
      expect(await page.evaluate(tooWide), how).toEqual([]);
      expect(await page.evaluate(skippedLevels), how).toEqual([]);
    }
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

/** Runs in the page: returns the headings that are more than one level below the heading before them. */
function skippedLevels(): string[] {
  // A modal dialog has an outline of its own.
  const headings = Array.from(document.querySelectorAll(':is(h1, h2, h3, h4, h5, h6):not(dialog *)'));
  const levels = headings.map(({ tagName }) => Number(tagName.slice(1)));
  return headings
    .filter((_, index) => (levels[index] ?? 0) > (levels[index - 1] ?? 0) + 1)
    .map(({ outerHTML }) => outerHTML);
}
