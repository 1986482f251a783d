import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { writeRedirect } from '../../src/cli/inbox/inbox-link.js';
import { launchBrowser, openContext, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(
  `signs in with a link that a file opens, and keeps its code out of the address${withoutBrowser}`,
  async () => {
    const app = await startInbox();
    await app.send({ subject: 'For the owner of the code' });
    const browser = await launchBrowser();
    // The server cannot find out who is behind a proxy.
    const proxied = { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } };
    const { page, problems, close } = await openInbox(browser, app.origin, '/inbox/emails', proxied);
    await page.getByText('svc inbox --print', { exact: true }).waitFor();

    const { code } = (await app.call('POST', '/_svc/inbox/codes')).json.data;
    await page.context().clearCookies();
    await page.goto(pathToFileURL(writeRedirect(`${app.origin}/inbox#code=${code}`)).href);

    await page.getByRole('link', { name: /For the owner of the code/ }).waitFor();
    expect(page.url()).toBe(`${app.origin}/inbox/emails`);
    expect(problems.join('\n')).toBe('');
    await close();
    await browser.close();
    await app.closeClean();
  },
);

/** As in a browser that blocks the data of a site. */
const WITHOUT_STORAGE = `
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => { throw new DOMException('denied', 'SecurityError') } });
`;

it.skipIf(withoutBrowser)(`works without the storage of the browser${withoutBrowser}`, async () => {
  const app = await startInbox();
  await app.send({ subject: 'Without storage' });
  const browser = await launchBrowser();
  const context = await openContext(browser);
  await context.addInitScript(WITHOUT_STORAGE);
  const page = await context.newPage();

  await page.goto(app.origin);

  await page.getByRole('link', { name: /Without storage/ }).waitFor();
  await browser.close();
  await app.closeClean();
});

it.skipIf(withoutBrowser)(`asks to allow cookies, without loading the page forever${withoutBrowser}`, async () => {
  const app = await startInbox();
  const browser = await launchBrowser();
  const context = await openContext(browser);
  await context.addInitScript(WITHOUT_STORAGE);
  const page = await context.newPage();
  let loads = 0;
  await page.route(`${app.origin}/inbox/emails`, async (route) => {
    loads += 1;
    const response = await route.fetch();
    const { 'set-cookie': _, ...headers } = response.headers();
    await context.clearCookies();
    await route.fulfill({ response, headers });
  });

  await page.goto(`${app.origin}/inbox/emails`);

  await page.getByText('Allow cookies of this address, then reload the page.').waitFor();
  expect(loads).toBe(1);
  await browser.close();
  await app.closeClean();
});
