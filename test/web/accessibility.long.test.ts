import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';
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
/** One page shows all views: it has the scripts already. */
let page: Page;
let problems: string[];
let server: InboxServer;
let empty: InboxServer;

describe.skipIf(withoutBrowser)(`the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, empty] = await Promise.all([launchBrowser(), startInbox(), startInbox()]);
    ids = await fillViews(server);
    ({ page, problems } = await openInbox(browser, server.origin));
  });
  // The view before may have moved the clock, or kept something in the browser.
  beforeEach(async () => {
    await server.call('PATCH', '/_svc/clock', { offset_ms: 0 });
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    problems.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.closeClean(), empty.closeClean()]);
  });

  it.each(views)('has no violation in $name', async ({ path = '/', isEmpty, show }) => {
    const { origin } = isEmpty ? empty : server;
    await page.goto(origin + (typeof path === 'string' ? path : path(ids)));
    await show(page);
    await page.evaluate(axe);

    await check('in the light theme');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(violations, COLOR_RULES), 'in the dark theme').toEqual([]);
    // What is open stays open when a window becomes narrow.
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 800 });
    await check('360 pixels wide');
    expect(problems.join('\n')).toBe('');

    async function check(how: string): Promise<void> {
      expect(await page.evaluate(violations, []), how).toEqual([]);
      expect(await page.locator('h1').count(), how).toBe(1);
      expect(await page.evaluate(tooWide), how).toEqual([]);
      expect(await page.evaluate(skippedLevels), how).toEqual([]);
    }
  });
});

/** The rules of axe-core that depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Runs in the page, with all rules if none is named. The content of the email's frame is its author's. */
async function violations(rules: string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: axe-core adds itself to the page
  const { axe } = globalThis as any;
  const { violations } = await axe.run({ exclude: ['iframe'] }, rules.length > 0 ? { runOnly: rules } : {});
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
