import { expect, it } from 'vitest';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(
  `reaches the list with one press of Tab, its rows with arrow keys, and keeps its position${withoutBrowser}`,
  async () => {
    const server = await startInbox();
    for (let count = 1; count <= 40; count += 1) await server.send({ subject: `Order ${count}.` });
    const browser = await launchBrowser();
    const { page, problems } = await openInbox(browser, server.origin);
    await page.getByText('40 emails').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const isInList = () => page.evaluate(() => document.activeElement?.closest('[data-testid=email-list] li') != null);

    await page.getByRole('button', { name: 'Mark all as read' }).focus();
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

    // All of them exist, for the browser's search and for screen readers.
    const list = page.getByTestId('email-list');
    await expect.poll(() => list.locator('li').count()).toBe(40);
    const top = () => list.evaluate((element) => element.scrollTop);
    await list.evaluate((element) => element.scrollTo(0, 600));
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await server.send({ subject: 'Order 41.' });
    await page.goBack();
    await expect.poll(top).toBe(660);

    // A key works while the list is being read again.
    await page.reload();
    await page.getByText('41 emails').waitFor();
    await page.route(/_svc\/emails\?/, () => {});
    const read = page.waitForRequest(/_svc\/emails\?/);
    await server.send({ subject: 'Order 42.' });
    await read;
    await page.keyboard.press('j');
    await expect.poll(isInList).toBe(true);
    expect(await focused()).toContain('Order 41.');

    expect(problems).toEqual([]);
    await browser.close();
    await server.closeClean();
  },
);
