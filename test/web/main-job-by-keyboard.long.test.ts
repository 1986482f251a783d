import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(
  `finds the reset email of a user, copies its code and deletes it, with the keyboard only${withoutBrowser}`,
  async () => {
    const server = await startInbox();
    const reset = { subject: 'Reset your password', html: '<p>Your code is 482913.</p>' };
    await server.send({ to: 'bob@example.test', ...reset, html: '<p>Your code is 111222.</p>' });
    const id = await server.send({ to: 'ada@example.test', ...reset });
    await server.send({ to: 'ada@example.test', subject: 'Your receipt' });
    const browser = await launchBrowser();
    const { page, problems } = await openInbox(browser, server.origin, '/', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByText('3 emails').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('to:ada@example.test subject:reset');
    await page.getByText('1 email found').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Reset your password', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy code 482913' }).waitFor();
    await tabTo(page, /Copy code 482913/, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor({ state: 'attached' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('482913');

    await page.keyboard.press('#');
    await page.getByRole('dialog', { name: 'Delete this email?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No emails match').waitFor();
    expect((await server.call('GET', `/v1/emails/${id}`)).status).toBe(404);
    expect((await server.read('/_svc/emails')).emails).toHaveLength(2);
    expect(problems).toEqual([]);
    await browser.close();
    await server.closeClean();
  },
);

/** Presses Tab until the focus is on an element with this name. */
async function tabTo(page: Page, name: RegExp, tag: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return { tag: element?.tagName, name: element?.getAttribute('aria-label') ?? element?.textContent ?? '' };
    });
    if (focused.tag === tag && name.test(focused.name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}
