import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of analytics in a browser. */

const NOON = '2026-03-02T12:00:00Z';

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/analytics') => {
  opened = await openInbox(browser, server.origin, path, { locale: 'en-GB', timezoneId: 'America/Los_Angeles' });
  return opened.page;
};

const sendAll = async (...recipients: string[]) => {
  for (const to of recipients) await server.send({ to });
  await server.drain();
};

describe.skipIf(withoutBrowser)(`analytics${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
    await server.call('PATCH', '/_svc/clock', { now: NOON, frozen: true });
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('counts emails by day while they arrive, with their share of the sent ones', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No events in this period' }).waitFor();

    await sendAll('ada@example.test', 'clicked@simulator.test', 'bounced@simulator.test', 'eve@example.test');

    await page.getByRole('button', { name: 'Sent 4' }).waitFor();
    await page.getByRole('button', { name: 'Delivered 3 75% of sent' }).waitFor();
    await page.getByRole('button', { name: 'Bounced 1 25% of sent' }).waitFor();
    const row = page.getByRole('row', { name: /^Mon, 2 Mar 2026/ });
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['4', '3', '1', '1', '1', '0']);
    await page.locator('canvas').waitFor();
  });

  it('groups by month in a range of the address, and names the numbers below the pointer', async () => {
    await sendAll('ada@example.test');
    await server.call('POST', '/_svc/clock/advance', { by: '31d' });
    await sendAll('ada@example.test', 'eve@example.test');
    const page = await open();
    await page.getByRole('button', { name: 'Sent 2' }).waitFor();

    await page.getByLabel('Period').selectOption('Last 12 months');

    await page.getByRole('button', { name: 'Sent 3' }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=1y');
    const rows = page.locator('tbody tr');
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringMatching(/^April 20262/), expect.stringMatching(/^March 20261/)]);
    const plot = page.locator('.u-over');
    const { width = 0 } = (await plot.boundingBox()) ?? {};
    await plot.hover({ position: { x: width - 5, y: 20 } });
    await page.getByText('April 2026', { exact: true }).nth(1).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('Week');
    await page.getByRole('row', { name: /^Week of 30 Mar 2026 2/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=1y&by=week');
  });

  it('hides lines and keeps that and the dates in the address', async () => {
    await sendAll('ada@example.test');
    const page = await open('/inbox/analytics?from=2026-03-01&to=2026-03-31&by=week');
    const sent = page.getByRole('button', { name: 'Sent 1' });
    expect(await sent.getAttribute('aria-pressed')).toBe('true');

    await sent.click();
    const entries = await page.evaluate('history.length');
    await page.getByLabel('To', { exact: true }).fill('2026-03-02');

    await page.waitForURL(/to=2026-03-02/);
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.reload();
    expect(await sent.getAttribute('aria-pressed')).toBe('false');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2026-03-02');
    await page.getByLabel('From', { exact: true }).fill('2026-03-09');
    await page.getByText('must not be later than to_date').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2026-03-01');
    await sent.waitFor();
  });
});
