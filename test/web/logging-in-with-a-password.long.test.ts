import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEST_KEY } from '../support/servers/app.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the login of a server that other machines can reach. */

const PASSWORD = 'correct horse battery';

let browser: Browser;
let server: InboxServer;

const secret = (page: Page) => page.getByLabel('API key or inbox password');
const signIn = async (page: Page, text: string) => {
  await secret(page).fill(text);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

describe.skipIf(withoutBrowser)(`a server on all interfaces${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox(0, { host: '0.0.0.0', inboxPassword: PASSWORD });
    await server.send({ subject: 'For the team' });
  });
  afterEach(() => server.closeClean());

  it('shows email after the password, and why it refuses a wrong one', async () => {
    const { page, problems, close } = await openInbox(browser, server.origin);
    await secret(page).waitFor();
    expect(await secret(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await signIn(page, 'guess');
    await page.getByRole('alert').filter({ hasText: 'The password is wrong.' }).waitFor();
    expect(await page.getByText('For the team').count()).toBe(0);

    await signIn(page, PASSWORD);

    await page.getByRole('link', { name: /For the team/ }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: /For the team/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(PASSWORD);
    expect(problems).toEqual([]);
    await close();
  });

  it('accepts an API key', async () => {
    const { page, problems, close } = await openInbox(browser, server.origin);
    await signIn(page, TEST_KEY);

    await page.getByRole('link', { name: /For the team/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(TEST_KEY);
    expect(problems).toEqual([]);
    await close();
  });

  it('asks again after a restart, on the page that was open', async () => {
    const { page, close } = await openInbox(browser, server.origin);
    await signIn(page, PASSWORD);
    await page.getByRole('link', { name: /For the team/ }).click();
    await page.getByRole('heading', { name: 'For the team', level: 1 }).waitFor();
    const { pathname } = new URL(page.url());
    await server.close();
    server = await startInbox(server.port, { host: '0.0.0.0', inboxPassword: PASSWORD });

    await secret(page).waitFor();
    await signIn(page, PASSWORD);

    await page.getByRole('heading', { name: 'Email not found' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);
    await close();
  });
});
