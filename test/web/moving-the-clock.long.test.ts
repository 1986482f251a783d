import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/servers/receiver.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of the clock, and its notice on every page. */

const HOUR_MS = 3_600_000;
let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path: string) => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};
const clock = async () => (await server.read('/_svc/clock')) as { now: string; frozen: boolean; offset_ms: number };

describe.skipIf(withoutBrowser)(`the clock in the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('sends a scheduled email when the clock is advanced, and shows what ran on every page until it is reset', async () => {
    const inTwoHours = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const id = await server.send({ subject: 'Reminder', scheduled_at: inTwoHours });
    const page = await open('/inbox/clock');

    await page.getByRole('textbox', { name: 'Duration' }).fill('2h30m');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();

    await page.getByRole('status').filter({ hasText: 'Ran 1 scheduled email' }).waitFor();
    const notice = page.getByRole('region', { name: 'Service clock' });
    await notice.getByText('2h30m ahead').waitFor();
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.getByRole('button', { name: 'Set', exact: true }).scrollIntoViewIfNeeded();
    expect(await page.getByRole('main').evaluate((main) => main.scrollTop)).toBeGreaterThan(0);
    expect((await notice.boundingBox())?.y).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Show the emails' }).click();
    await page.getByRole('link', { name: /Reminder/ }).click();
    await page.getByRole('heading', { name: 'Reminder', level: 1 }).waitFor();
    expect((await server.read(`/v1/emails/${id}`)).status).not.toBe('scheduled');

    await notice.getByRole('button', { name: 'Reset clock' }).click();
    await notice.waitFor({ state: 'detached' });
    expect((await clock()).offset_ms).toBe(0);
  });

  it('freezes, resumes and sets the clock', async () => {
    const page = await open('/inbox/clock');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('region', { name: 'Service clock' }).getByText('frozen').waitFor();
    expect((await clock()).frozen).toBe(true);
    expect(await page.getByText('Nothing was due.').count()).toBe(0);

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
    await page.getByLabel('Date and time').fill('2030-05-06T07:08:09');
    await page.getByRole('button', { name: 'Set', exact: true }).click();

    const time = page.getByRole('region', { name: 'Service time' }).locator('time');
    await expect.poll(() => time.getAttribute('datetime')).toContain('2030-05-06');
    expect((await clock()).frozen).toBe(false);
  });

  it('refuses a duration that is invalid at its field', async () => {
    const page = await open('/inbox/clock');
    const field = page.getByRole('textbox', { name: 'Duration' });
    await field.fill('soon');
    await field.press('Enter');

    await page.getByText(/^must be a duration/).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('shows that the clock is moving while a webhook receiver does not respond', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const receiver = await startReceiver((response) => void held.then(() => response.end()));
    await server.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
    await server.send({ scheduled_at: inAnHour });
    const page = await open('/inbox/clock');

    await page.getByRole('button', { name: /\+1d/ }).click();
    await page.getByText('The clock is moving.').waitFor();
    expect(await page.getByRole('button', { name: /\+1d/ }).isDisabled()).toBe(true);
    release();

    await page.getByRole('status').filter({ hasText: '1 webhook attempt' }).waitFor();
    await receiver.close();
  });

  it('shows a clock that another program has moved', async () => {
    const page = await open('/inbox/emails');
    await page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
    await server.call('POST', '/_svc/clock/advance', { by: '3h' });

    await server.send({ subject: 'Later' });

    await page.getByRole('region', { name: 'Service clock' }).getByText('3h ahead').waitFor();
  });
});
