import { expect, it } from 'vitest';
import { exportFrom, importInto } from '../support/state.js';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(`shows in one tab what another one changes${withoutBrowser}`, async () => {
  const server = await startInbox();
  await server.send({ subject: 'First' });
  await server.send({ subject: 'Second' });
  const browser = await launchBrowser();
  const { page, problems } = await openInbox(browser, server.origin);
  const other = await page.context().newPage();
  await other.goto(`${server.origin}/inbox/emails?search=is:unread`);
  await page.bringToFront();
  await page.getByText('2 emails').waitFor();
  await other.getByText('2 emails found').waitFor();

  await page.getByRole('link', { name: /First/ }).click();
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
  await page.keyboard.press('#');
  await page.getByRole('dialog', { name: 'Delete this email?' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor({ state: 'detached' });
  await page.getByText('1 email', { exact: true }).waitFor();

  await other.bringToFront();
  await other.getByRole('link', { name: /First/ }).waitFor({ state: 'detached' });
  await server.send({ subject: 'Third' });
  await other.getByRole('link', { name: /Third/ }).waitFor();
  await page.bringToFront();
  await page.getByRole('link', { name: /Third/ }).waitFor();
  expect(problems).toEqual([]);
  await browser.close();
  await server.closeClean();
});

it.skipIf(withoutBrowser)(`stays connected where a page cannot show notifications${withoutBrowser}`, async () => {
  const server = await startInbox();
  await server.send({ subject: 'First' });
  const browser = await launchBrowser();
  const { page, problems } = await openInbox(browser, server.origin);
  await page.addInitScript(asInChromeForAndroid);
  // What the list had before the connection is not reported.
  const connected = page.waitForResponse(/\/_svc\/events\?/);
  await page.goto(`${server.origin}/inbox/emails`);
  await page.getByRole('link', { name: /First/ }).waitFor();
  await connected;

  await server.send({ subject: 'Second' });

  await page.getByRole('link', { name: /Second/ }).waitFor();
  await expect.poll(() => page.evaluate('window.attempted')).toBe(1);
  expect(problems).toEqual([]);
  await browser.close();
  await server.closeClean();
});

/** Makes the page one in the background that may notify, in a browser where only a service worker can. */
const asInChromeForAndroid = `
  window.attempted = 0;
  localStorage.setItem('svc-notifications', 'on');
  Object.defineProperty(document, 'hidden', { value: true });
  window.Notification = class {
    static permission = 'granted';
    constructor() {
      window.attempted += 1;
      throw new TypeError('Illegal constructor');
    }
  };
`;

it.skipIf(withoutBrowser)(`shows what an import contains while it is open${withoutBrowser}`, async () => {
  const [source, server] = await Promise.all([startInbox(), startInbox()]);
  const id = await source.send({ subject: 'From the export' });
  await server.send({ subject: 'Replaced' });
  const browser = await launchBrowser();
  const { page, problems } = await openInbox(browser, server.origin);
  await page.getByRole('link', { name: /Replaced/ }).waitFor();
  const archive = await exportFrom(source);

  const { status } = await importInto(server, archive);

  expect(status).toBe(200);
  await page.getByRole('link', { name: /From the export/ }).waitFor();
  await page.getByRole('link', { name: /Replaced/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /From the export/ }).click();
  await page.getByRole('heading', { name: 'From the export', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/inbox/emails/${id}`);
  expect(problems).toEqual([]);
  await browser.close();
  await Promise.all([source.closeClean(), server.closeClean()]);
});
