import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests which emails keys and buttons act on, while the list changes. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/', width = 1280) => {
  opened = await openInbox(browser, server.origin, path, { viewport: { width, height: 800 } });
  return opened.page;
};
const send = async (...subjects: string[]) => {
  for (const subject of subjects) await server.send({ subject });
};
const sendMany = (count: number) => send(...Array.from({ length: count }, (_, index) => `Email ${index + 1}`));
const subjects = async () => {
  const { emails } = (await server.read('/_svc/emails')) as { emails: { subject: string }[] };
  return emails.map(({ subject }) => subject);
};
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const row = (page: Page, subject: string) => page.getByRole('listitem').filter({ hasText: subject });
const box = (page: Page, subject: string) => page.getByRole('checkbox', { name: `Select ${subject}` });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
/** Presses the key that deletes, and confirms it. */
const deleteByKey = async (page: Page) => {
  await page.keyboard.press('#');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
};
const list = (page: Page) => page.getByTestId('email-list');

describe.skipIf(withoutBrowser)(`selecting emails${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened.problems.join('\n')).toBe('');
    await opened.close();
    await server.closeClean();
  });

  it('deletes the open email, and not those that are ticked in the list', async () => {
    await send('First', 'Second', 'Third', 'Fourth');
    const page = await open();
    await box(page, 'Fourth').check();
    await row(page, 'Third').getByRole('link').click();
    await heading(page, 'Third').waitFor();

    await page.getByRole('region', { name: 'Email', exact: true }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete this email?' }).getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Third').waitFor({ state: 'detached' });

    await expect.poll(subjects).toEqual(['Fourth', 'Second', 'First']);
    await page.getByText('1 selected').waitFor();
  });

  it('undoes the deletion of all emails, also from another page', async () => {
    await send('First', 'Second', 'Third');
    const page = await open();
    await page.getByLabel('Select all emails').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete all 3 emails?' }).getByRole('button', { name: 'Delete' }).click();
    const toast = page.getByText('3 emails deleted');
    await toast.waitFor();
    expect(await subjects()).toEqual([]);

    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast.waitFor({ state: 'detached' });

    expect(await subjects()).toEqual(['Third', 'Second', 'First']);
    await page.goBack();
    await row(page, 'Second').waitFor();
  });

  it('undoes a deletion with z, until its time is over or the tab is closed', async () => {
    await send('First', 'Second');
    const page = await open();
    await page.clock.install();
    await page.reload();
    await page.getByText('2 emails', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('Second');
    await deleteByKey(page);
    const toast = page.getByText('1 email deleted');
    await toast.waitFor();
    await page.keyboard.press('z');
    await row(page, 'Second').waitFor();
    await toast.waitFor({ state: 'detached' });
    expect(await subjects()).toEqual(['Second', 'First']);

    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toContain('Second');
    await deleteByKey(page);
    await toast.waitFor();
    await page.clock.fastForward(10_000);
    await toast.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('First');
    await deleteByKey(page);
    await toast.waitFor();
    await page.reload();
    await page.getByText('No emails yet').waitFor();
    expect(await subjects()).toEqual([]);
  });

  it('asks before it deletes the open email, and opens and reads no other one', async () => {
    await send('First', 'Second', 'Third');
    const page = await open();
    await row(page, 'Third').getByRole('link').click();
    await heading(page, 'Third').waitFor();
    await page.keyboard.press('#');
    await page.getByRole('dialog', { name: 'Delete this email?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await subjects()).toEqual(['Third', 'Second', 'First']);

    await deleteByKey(page);
    await page.getByText('2 emails', { exact: true }).waitFor();
    await expect.poll(() => focused(page)).toContain('Second');

    expect(new URL(page.url()).pathname).toBe('/inbox/emails');
    const { emails } = (await server.read('/_svc/emails')) as { emails: { subject: string; read: boolean }[] };
    expect(emails).toMatchObject([
      { subject: 'Second', read: false },
      { subject: 'First', read: false },
    ]);
  });

  it('deletes the open email after it has left the list', async () => {
    await send('First', 'Second', 'Third');
    const page = await open('/inbox/emails?search=is:unread');
    await row(page, 'Third').getByRole('link').click();
    await heading(page, 'Third').waitFor();
    await page.getByText('2 emails found').waitFor();

    await deleteByKey(page);
    await heading(page, 'Third').waitFor({ state: 'detached' });

    expect(await subjects()).toEqual(['Second', 'First']);
    expect(new URL(page.url()).searchParams.get('search')).toBe('is:unread');
  });

  it('stays at an email when another one arrives above it', async () => {
    await send('First', 'Second', 'Third');
    const page = await open();
    await page.getByText('3 emails').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('Second');

    await send('Fourth');
    await page.getByText('4 emails').waitFor();
    expect(await focused(page)).toContain('Second');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    expect(await box(page, 'Second').isChecked()).toBe(true);
    await deleteByKey(page);
    await page.getByText('3 emails').waitFor();

    expect(await subjects()).toEqual(['Fourth', 'Third', 'First']);
  });

  it('continues with the next email after it deleted one', async () => {
    await send('First', 'Second', 'Third');
    const page = await open();
    await page.getByText('3 emails').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('Third');
    await deleteByKey(page);
    await page.getByText('2 emails').waitFor();
    await expect.poll(() => focused(page)).toContain('Second');
    await deleteByKey(page);
    await page.getByText('1 email', { exact: true }).waitFor();

    expect(await subjects()).toEqual(['First']);
  });

  it('deselects all emails when one of them is unticked', async () => {
    await send('First', 'Second', 'Third');
    const page = await open();
    await page.getByRole('checkbox', { name: 'Select all emails' }).check();
    await page.getByText('3 selected').waitFor();

    await box(page, 'Second').uncheck();

    await page.getByText('3 emails').waitFor();
    expect(await box(page, 'First').isChecked()).toBe(false);
  });

  it('forgets the selection when another search is shown', async () => {
    await send('First', 'Second');
    const page = await open();
    await page.getByRole('checkbox', { name: 'Select all emails' }).check();
    await page.getByText('2 selected').waitFor();

    await page.getByRole('list', { name: 'Saved searches' }).getByRole('link', { name: 'Unread' }).click();
    await page.getByText('2 emails found').waitFor();
    await page.goBack();

    await page.getByText('2 emails', { exact: true }).waitFor();
  });

  it('keeps the scroll position when email arrives, and the clicked row in view when it opens', async () => {
    await sendMany(60);
    const page = await open();
    await page.getByText('60 emails').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('Email 60');
    await list(page).evaluate((element) => element.scrollTo(0, 1_800));
    await row(page, 'Email 25').waitFor();

    await send('Email 61');
    await page.getByText('61 emails').waitFor();
    await expect.poll(() => list(page).evaluate((element) => element.scrollTop)).toBe(1_860);

    const before = await row(page, 'Email 25').boundingBox();
    await row(page, 'Email 25').getByRole('link').click();
    await heading(page, 'Email 25').waitFor();
    await expect.poll(async () => (await row(page, 'Email 25').boundingBox())?.height).toBe(88);
    // The first row in view stays the first one: 1,860 pixels of rows of 60 are 2,728 of rows of 88.
    await expect.poll(() => list(page).evaluate((element) => element.scrollTop)).toBe(2_728);
    expect(before?.height).toBe(60);
  });

  it('goes through more emails than one page where the list is hidden', async () => {
    await sendMany(103);
    const page = await open('/inbox/emails', 1_000);
    await page.getByText('103 emails').waitFor();
    await list(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await row(page, 'Email 6').getByRole('link').click();
    await heading(page, 'Email 6').waitFor();
    for (const subject of ['Email 5', 'Email 4', 'Email 3', 'Email 2']) {
      await page.keyboard.press('j');
      await heading(page, subject).waitFor();
    }
  });

  it('offers nothing for the emails of the last search while the query is invalid', async () => {
    await send('First', 'Second');
    const page = await open();
    const search = page.getByRole('combobox', { name: 'Search emails' });
    await search.fill('subject:first');
    await page.getByText('1 email found').waitFor();

    await search.fill('form:bob');
    await page.getByRole('status').filter({ hasText: 'Not searched' }).waitFor();
    expect(await page.getByText('1 email found').count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: 'Select all emails' }).isDisabled()).toBe(true);
    expect(await page.locator('[inert]').getByText('First').count()).toBe(1);

    await search.fill('subject:second');
    await page.getByText('1 email found').waitFor();
    await row(page, 'Second').getByRole('link').click();
    await heading(page, 'Second').waitFor();
  });

  it('keeps the space between two words while the first is searched for, and clears the box', async () => {
    await send('First', 'Second');
    const page = await open();
    const search = page.getByRole('combobox', { name: 'Search emails' });
    await search.pressSequentially('subject:first ');
    await page.getByText('1 email found').waitFor();
    expect(await search.inputValue()).toBe('subject:first ');

    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByText('2 emails', { exact: true }).waitFor();
    expect(await search.inputValue()).toBe('');
  });
});
