import { expect, it } from 'vitest';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(
  `reports a server that stopped, connects to its successor, and misses no email${withoutBrowser}`,
  async () => {
    const first = await startInbox();
    await first.send({ subject: 'Before' });
    const browser = await launchBrowser();
    const { page, problems } = await openInbox(browser, first.origin);
    await page.getByRole('link', { name: /Before/ }).waitFor();

    await first.close();
    await page.getByText('the server stopped or cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Connect now' }).click();
    const second = await startInbox(first.port);
    await second.send({ subject: 'Meanwhile' });

    await page.getByRole('link', { name: /Meanwhile/ }).waitFor();
    await page.getByText('the server stopped or cannot be reached').waitFor({ state: 'hidden' });
    const { smtp } = await second.read('/_svc/info');
    await page.getByText(`127.0.0.1:${smtp.port}`).waitFor();
    await second.send({ subject: 'Afterwards' });
    await page.getByRole('link', { name: /Afterwards/ }).waitFor();
    expect(problems.join('\n')).toBe('');
    await browser.close();
    await second.closeClean();
  },
);

it.skipIf(withoutBrowser)(
  `shows what could not be loaded or sent without the server, once it is back${withoutBrowser}`,
  async () => {
    const first = await startInbox();
    const browser = await launchBrowser();
    const [{ page }, { page: form }] = [
      await openInbox(browser, first.origin),
      await openInbox(browser, first.origin, '/inbox/compose'),
    ];
    await page.getByText('No emails yet').waitFor();
    await form.getByLabel('Subject').fill('Kept');
    await first.close();
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByText('This part of the page cannot be loaded').waitFor();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    const failure = form.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
    await failure.waitFor();

    const second = await startInbox(first.port);

    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await failure.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Subject').inputValue()).toBe('Kept');
    await browser.close();
    await second.closeClean();
  },
);
