import { expect, it } from 'vitest';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(
  `reaches the list with one press of Tab, its rows with arrow keys, and leaves it with the next Tab${withoutBrowser}`,
  async () => {
    const server = await startInbox();
    for (let count = 1; count <= 40; count += 1) await server.send({ subject: `Order ${count}.` });
    const browser = await launchBrowser();
    const { page, problems } = await openInbox(browser, server.origin);
    await page.getByText('40 emails').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const isInList = () => page.evaluate(() => document.activeElement?.closest('[data-testid=email-list] li') !== null);

    await page.getByRole('checkbox', { name: 'Select all emails' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Order 40.');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('Order 39.');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select Order 39.' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isInList()).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toContain('Order 39.');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toContain('Order 40.');

    expect(problems).toEqual([]);
    await browser.close();
    await server.closeClean();
  },
);
