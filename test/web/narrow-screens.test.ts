import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests that no view needs to scroll sideways on a small phone, whatever an email contains. */

const WIDTH = 360;
const LONG = 'x'.repeat(300);
const PASSWORD = 'correct horse battery';

let browser: Browser;
let server: InboxServer;
let empty: InboxServer;
let locked: InboxServer;
let id: string;

interface View {
  name: string;
  path?: () => string;
  server?: () => InboxServer;
  /** Brings the view up. */
  show(page: Page): Promise<void>;
}

const tabs = [
  'preview',
  'text',
  'delivery',
  'timeline',
  'links',
  'attachments',
  'checks',
  'code',
  'headers',
  'structure',
  'source',
];
const pages = [
  'compose',
  'templates',
  'webhooks',
  'requests',
  'analytics',
  'domains',
  'api-keys',
  'suppressions',
  'rules',
  'clock',
];
const rows = (page: Page) => page.getByText('2 emails').waitFor();

const views: View[] = [
  { name: 'the list', show: rows },
  { name: 'the empty list', server: () => empty, show: (page) => page.getByText('No emails yet').waitFor() },
  { name: 'the sign-in', server: () => locked, show: (page) => page.getByLabel('API key or inbox password').waitFor() },
  {
    name: 'a selection',
    async show(page) {
      await page.getByRole('checkbox', { name: 'Select all emails' }).check();
      await page.getByText('2 selected').waitFor();
    },
  },
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
      await page.getByRole('combobox', { name: 'Search emails' }).fill(`form:${LONG}`);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a search without a match',
    path: () => `/inbox/emails?search=${LONG}y`,
    show: (page) => page.getByText('No emails match').waitFor(),
  },
  {
    name: 'the filter menu',
    async show(page) {
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'the shortcuts',
    async show(page) {
      await rows(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the palette',
    async show(page) {
      await rows(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  ...tabs.map((tab) => ({
    name: `the tab ${tab}`,
    path: () => `/inbox/emails/${id}/${tab}`,
    async show(page: Page) {
      await page.getByRole('article').waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
    },
  })),
  ...pages.map((name) => ({
    name: `the page ${name}`,
    path: () => `/inbox/${name}`,
    async show(page: Page) {
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'a deleted email',
    path: () => '/inbox/emails/msg_01arz3ndektsv4rrffq69g5fav',
    show: (page) => page.getByText('Email not found').waitFor(),
  },
  {
    name: 'an unknown page',
    path: () => `/inbox/${LONG}`,
    show: (page) => page.getByText('Page not found').waitFor(),
  },
];

describe.skipIf(withoutBrowser)(`the inbox, 360 pixels wide${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, empty, locked] = await Promise.all([
      launchBrowser(),
      startInbox(),
      startInbox(),
      startInbox(0, { host: '0.0.0.0', inboxPassword: PASSWORD }),
    ]);
    await server.send({ subject: 'Short' });
    const { status } = await server.call('POST', '/v1/domains', {
      domain: `${'b'.repeat(60)}.${'c'.repeat(60)}.example.test`,
    });
    expect(status).toBe(201);
    await server.call('POST', '/v1/webhooks', { url: `http://127.0.0.1:9/${LONG}`, events: ['email.bounced'] });
    await server.call('POST', '/v1/templates', { name: LONG.slice(0, 100), subject: LONG, html: '<p>Hello</p>' });
    id = await server.send({
      to: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.test`,
      from: `"${LONG.slice(0, 150)}" <shop@example.test>`,
      subject: LONG,
      html: `<p>Your code is 482913.</p><a href="https://shop.example/reset?token=${LONG}">Reset password</a><p>${LONG}</p>`,
      text: `Your code is 482913. ${LONG}`,
      tags: ['t'.repeat(40), 'account'],
      headers: { 'X-Long': LONG },
      attachments: [{ filename: `${LONG.slice(0, 150)}.txt`, content: 'bm90ZXM=', contentType: 'text/plain' }],
    });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server, empty, locked].map((each) => each.closeClean()));
  });

  it.each(views)('does not scroll sideways in $name', async ({ path, server: other, show }) => {
    const { origin } = other?.() ?? server;
    const options = { viewport: { width: WIDTH, height: 740 }, hasTouch: true };
    const { page, problems, close } = await openInbox(browser, origin, path?.() ?? '/', options);
    await show(page);

    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});

/** Runs in the page: returns what reaches out of the window, except what is within an area that scrolls or is cut. */
function tooWide(): string[] {
  const contains = (element: Element) => {
    const { overflowX } = getComputedStyle(element);
    return overflowX !== 'visible' && element !== document.documentElement && element !== document.body;
  };
  const isContained = (element: Element | null): boolean =>
    element !== null && (contains(element) || isContained(element.parentElement));
  const found = Array.from(document.body.querySelectorAll('*')).filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 1 && right > innerWidth + 0.5 && !isContained(element.parentElement);
  });
  if (document.documentElement.scrollWidth > innerWidth) found.push(document.documentElement);
  // Within pages, dialogs and lists, only code and tables may scroll sideways.
  const areas = document.querySelectorAll('main, dialog[open], article, [data-testid=email-list]');
  for (const area of areas) if (area.scrollWidth > area.clientWidth + 1) found.push(area);
  return found.map((element) => (element.cloneNode() as Element).outerHTML.slice(0, 120));
}
