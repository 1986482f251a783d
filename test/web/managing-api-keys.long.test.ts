import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of API keys in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async () => {
  opened = await openInbox(browser, server.origin, '/inbox/api-keys');
  return opened.page;
};

const callWith = (key: string) =>
  fetch(`${server.origin}/v1/emails`, { headers: { authorization: `Bearer ${key}`, 'user-agent': 'shop/1' } });

describe.skipIf(withoutBrowser)(`API keys${withoutBrowser}`, () => {
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

  it('shows a new key once, keeps it nowhere, and revokes it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name', description: /^must not be empty/ }).waitFor();
    await page.getByLabel('Name').fill('Shop backend');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Copy the API key now' });
    const key = (await dialog.locator('pre').textContent()) ?? '';
    expect(key).toMatch(/^svc_test_\w+$/);
    expect((await callWith(key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: 'Shop backend' });
    await row.waitFor();
    const kept =
      'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate(kept)).not.toContain(key);
    expect(await page.content()).not.toContain(key);

    await row.getByRole('button', { name: 'Revoke Shop backend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await callWith(key)).status).toBe(401);
  });

  it('warns before the key of the commands is revoked, whatever keys are named', async () => {
    await server.call('POST', '/v1/api-keys', { name: 'Local server', environment: 'test' });
    const page = await open();
    const warning = page.getByText('The commands of this machine and the inbox use this key.');
    const revoke = page.getByRole('button', { name: 'Revoke Local server' });
    await expect.poll(() => revoke.count()).toBe(2);
    const warnings = [];
    for (const button of await revoke.all()) {
      await button.click();
      await page.getByRole('dialog').waitFor();
      warnings.push(await warning.count());
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
    expect(warnings.sort()).toEqual([0, 1]);
  });

  it('creates a key with an owner and an end, and shows both', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Nightly');
    await page.getByLabel('Owner').fill('platform');
    await page.getByLabel('Time until it expires').fill('soon');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Time until it expires', description: /^must be/ }).waitFor();
    await page.getByLabel('Time until it expires').fill('90d');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Copy the API key now' }).getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: 'Nightly' });
    await row.getByRole('cell', { name: 'platform' }).waitFor();
    const { json } = await server.call('GET', '/_svc/api-keys');
    const { expires_at } = json.data.api_keys.find(({ name }: { name: string }) => name === 'Nightly');
    expect(Date.parse((await row.locator('time').nth(1).getAttribute('datetime')) ?? '')).toBe(Date.parse(expires_at));
  });

  it('shows when a key was used last, and reports why a live key cannot be created', async () => {
    const created = await server.call('POST', '/v1/api-keys', { name: 'Shop backend', environment: 'test' });
    const page = await open();
    const row = page.getByRole('row').filter({ hasText: 'Shop backend' });
    await row.getByText('None').waitFor();

    await callWith(created.json.data.key);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");

    await row.getByText('None').waitFor({ state: 'detached' });
    expect(await row.locator('time').count()).toBe(2);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Live');
    await page.getByLabel('Environment').selectOption('live');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'A test key cannot create a live key.' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Live');
  });
});
