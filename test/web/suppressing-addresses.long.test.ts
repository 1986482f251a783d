import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of suppressed addresses in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/suppressions') => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};

const statusOf = async (id: string) => (await server.read(`/_svc/emails/${id}`)).recipients[0].status;

describe.skipIf(withoutBrowser)(`suppressions${withoutBrowser}`, () => {
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

  it('suppresses an address, which drops email to it, and removes it', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No suppressed addresses' }).waitFor();
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Correct the field Address.' }).waitFor();
    await page.getByLabel('Address', { exact: true }).fill('Ada@example.test');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'ada@example.test' }).waitFor();

    const dropped = await server.send({ to: 'ada@example.test' });
    await server.drain();
    expect(await statusOf(dropped)).toBe('dropped');
    await server.send({ to: ['ada@example.test', 'grace@example.test'], subject: 'Two recipients' });
    await server.drain();
    await page.getByRole('link', { name: 'All emails to ada@example.test' }).click();
    const rows = page.getByRole('list', { name: 'Emails' }).getByRole('listitem');
    await rows
      .filter({ hasText: /delivered/ })
      .filter({ hasText: 'some dropped' })
      .waitFor();
    await rows.filter({ hasNotText: 'Two recipients' }).getByText('dropped', { exact: true }).click();
    await page.getByRole('article').locator('header').getByText('dropped', { exact: true }).waitFor();
    await page.goto(`${server.origin}/inbox/suppressions`);
    await page.getByRole('button', { name: 'Remove ada@example.test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No suppressed addresses' }).waitFor();

    const delivered = await server.send({ to: 'ada@example.test' });
    await server.drain();
    expect(await statusOf(delivered)).toBe('delivered');
  });

  it('shows a bounce while it is open, and leads to the email and to all emails of the address', async () => {
    await server.call('POST', '/_svc/rules', { to: 'ada@example.test', outcome: 'bounced' });
    const page = await open();
    await page.getByRole('heading', { name: 'No suppressed addresses' }).waitFor();
    const id = await server.send({ to: 'ada@example.test', subject: 'Bounces' });
    await server.drain();
    await page.getByRole('row', { name: /ada@example\.test.*hard bounce/ }).waitFor();

    await page.getByRole('link', { name: 'All emails to ada@example.test' }).click();
    await page.getByText('1 email found').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('to:ada@example.test');
    await page.goBack();
    await page.getByRole('link', { name: 'Email that suppressed ada@example.test' }).click();

    await page.getByRole('heading', { name: 'Bounces', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/inbox/emails/${id}`);
  });

  it('searches in a long list, page by page, with an address for each', async () => {
    for (let index = 0; index < 60; index += 1) {
      await server.call('POST', '/_svc/suppressions', { address: `user${index}@${index % 2 ? 'odd' : 'even'}.test` });
    }
    const page = await open();
    await page.getByText('1–50 of 60').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–60 of 60').waitFor();
    await page.getByRole('rowheader', { name: 'user0@even.test' }).waitFor();
    await page.reload();
    await page.getByText('51–60 of 60').waitFor();

    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('ODD.test');
    await page.getByText('1–30 of 30').waitFor();
    expect(new URL(page.url()).search).toBe('?search=ODD.test');
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing');
    await page.getByRole('heading', { name: 'No suppressed address contains this text' }).waitFor();
    await page.getByRole('button', { name: 'Show all addresses' }).click();
    await page.getByText('1–50 of 60').waitFor();
  });
});
