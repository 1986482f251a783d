import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { writeRedirect } from '../../src/cli/inbox/redirect-page.js';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

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
