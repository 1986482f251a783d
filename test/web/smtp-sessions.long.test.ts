import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokenSession, deliver, openSmtpData, queuedId } from '../support/mail/smtp-session.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of SMTP sessions in a browser. */

const MESSAGE = 'Subject: Hi\r\n\r\nHello\r\n';
let browser: Browser;
let server: InboxServer;
let smtp: { host: string; port: number };
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/smtp') => {
  opened = await openInbox(browser, server.origin, path);
  await opened.page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  return opened.page;
};
const links = (page: Page) => page.getByRole('table', { name: 'SMTP sessions, newest first' }).getByRole('link');

describe.skipIf(withoutBrowser)(`the page of SMTP sessions${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
    ({ smtp } = await server.read('/_svc/info'));
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('shows sessions as they end', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();

    await deliver(smtp, MESSAGE);
    await links(page).filter({ hasText: 'client.example.test' }).waitFor();
    await deliver(smtp, MESSAGE);

    await expect.poll(() => links(page).count()).toBe(2);
    await page.getByText('1 message').first().waitFor();
  });

  it('filters failed sessions in the address', async () => {
    await deliver(smtp, MESSAGE);
    await brokenSession(smtp);
    const page = await open();
    await expect.poll(() => links(page).count()).toBe(2);

    await page.getByLabel('Failed sessions only').check();

    await expect.poll(() => links(page).allTextContents()).toEqual([expect.stringContaining('app.example.test')]);
    expect(new URL(page.url()).search).toBe('?failed=true');
    await page.reload();
    await expect.poll(() => links(page).count()).toBe(1);
  });

  it('opens a session with its transcript and what was received, and returns to the list', async () => {
    await brokenSession(smtp);
    const page = await open('/inbox/smtp?failed=true');
    await links(page).click();

    const transcript = page.getByRole('table', { name: 'Commands and replies' });
    await transcript.getByText('RCPT TO:<b>', { exact: true }).waitFor();
    await transcript.getByText(/^501 /).waitFor();
    await page.getByText('broken', { exact: true }).waitFor();
    await page.getByText('Received content of transaction 1').click();
    await page.getByText('The beginning').waitFor();
    await page.getByRole('link', { name: 'All sessions' }).click();

    await expect.poll(() => links(page).count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?failed=true');
  });

  it('follows an open session to its end', async () => {
    const session = await openSmtpData(smtp);
    const page = await open();
    await links(page).click();
    await page.getByText('open', { exact: true }).first().waitFor();

    session.write(MESSAGE);
    await session.say('.');
    await session.say('QUIT');
    session.socket.end();

    await page.getByText('closed after QUIT', { exact: true }).first().waitFor();
  });

  it('links an email and its session', async () => {
    const id = queuedId(await deliver(smtp, MESSAGE));
    const page = await open(`/inbox/emails/${id}/delivery`);

    await page
      .getByRole('table', { name: 'SMTP envelope' })
      .getByRole('link', { name: /^smtp_/ })
      .click();
    await page.getByRole('heading', { name: 'Transcript' }).waitFor();
    await page.getByRole('table', { name: 'Transactions in order' }).getByRole('link').click();

    await page.getByRole('article').waitFor();
    expect(new URL(page.url()).pathname).toContain(`/inbox/emails/${id}`);
  });

  it('reports a session that is not in the log', async () => {
    const page = await open('/inbox/smtp/smtp_nothing');

    await page.getByRole('heading', { name: 'Session not found' }).waitFor();
    await page.getByRole('button', { name: 'Show all sessions' }).click();
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  });
});
