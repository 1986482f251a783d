import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';
import { tooWide } from '../support/web/too-wide.js';
import { fillViews, LONG_WORD } from '../support/web/views/fill-views.js';

/** Tests that long input of the user needs no scrolling sideways on a small phone. Another test checks all views. */

const WIDTH = 360;
const PASSWORD = 'correct horse battery';

let browser: Browser;
let server: InboxServer;
let locked: InboxServer;

interface View {
  name: string;
  path?: string;
  server?: () => InboxServer;
  /** Brings the view up. */
  show(page: Page): Promise<void>;
}

const views: View[] = [
  { name: 'the sign-in', server: () => locked, show: (page) => page.getByLabel('API key or inbox password').waitFor() },
  {
    name: 'a question',
    async show(page) {
      await page.getByRole('checkbox', { name: 'Select all emails' }).check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'an invalid query',
    async show(page) {
      await page.getByRole('combobox', { name: 'Search emails' }).fill(`form:${LONG_WORD}`);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a search without a match',
    path: `/inbox/emails?search=${LONG_WORD}y`,
    show: (page) => page.getByText('No emails match').waitFor(),
  },
  {
    name: 'an unknown page',
    path: `/inbox/${LONG_WORD}`,
    show: (page) => page.getByText('Page not found').waitFor(),
  },
];

describe.skipIf(withoutBrowser)(`the inbox, 360 pixels wide${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, locked] = await Promise.all([
      launchBrowser(),
      startInbox(),
      startInbox(0, { host: '0.0.0.0', inboxPassword: PASSWORD }),
    ]);
    await fillViews(server);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server, locked].map((each) => each.closeClean()));
  });

  it.each(views)('does not scroll sideways in $name', async ({ path = '/', server: other, show }) => {
    const { origin } = other?.() ?? server;
    const options = { viewport: { width: WIDTH, height: 740 }, hasTouch: true };
    const { page, problems, close } = await openInbox(browser, origin, path, options);
    await show(page);

    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
