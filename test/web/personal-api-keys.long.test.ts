import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Signs people in with the header of a proxy, and creates and revokes their API keys in a browser. */

const ADA = 'ada@example.com';
const ROOT = 'root@example.com';

let browser: Browser;
let server: InboxServer;

/** Opens the page of API keys as the browser of a person whom the proxy has signed in. */
async function openAs(person: string) {
  const options = { extraHTTPHeaders: { 'x-forwarded-email': person } };
  const opened = await openInbox(browser, server.origin, '/inbox/api-keys', options);
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  return { ...opened, row };
}

const callWith = (key: string) => fetch(`${server.origin}/v1/emails`, { headers: { authorization: `Bearer ${key}` } });

describe.skipIf(withoutBrowser)(`personal API keys${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox(0, {
      access: 'team',
      trustedProxies: ['127.0.0.1'],
      signIn: { header: 'X-Forwarded-Email', admins: [ROOT] },
    });
  });
  afterEach(() => server.closeClean());

  it('are created, used and revoked by a member, who sees no others', async () => {
    await server.call('POST', '/v1/api-keys', { name: 'Deployment', environment: 'test' });
    const { page, row, problems, close } = await openAs(ADA);
    const sidebar = page.getByRole('complementary', { name: 'Navigation' });
    await sidebar.getByText(ADA).waitFor();
    await page.getByText('Only you and administrators see them.').waitFor();
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Laptop');
    expect(await page.getByLabel('Owner').count()).toBe(0);
    await page.getByLabel('Time until it expires').fill('90d');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Copy the API key now' });
    const key = (await dialog.locator('pre').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row('Laptop').getByText(ADA).waitFor();
    expect(await row('Deployment').count()).toBe(0);
    expect(await row('SVC_API_KEY').count()).toBe(0);
    expect((await callWith(key)).status).toBe(200);

    // A reload continues the session, and events arrive in it.
    await page.reload();
    await row('Laptop').waitFor();
    await sidebar.getByRole('link', { name: 'Emails' }).click();
    await server.send({ subject: 'Arrives live' });
    await page.getByText('Arrives live').waitFor();

    await sidebar.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row('Laptop').waitFor({ state: 'detached' });
    expect((await callWith(key)).status).toBe(401);
    expect(problems).toEqual([]);
    await close();
  });

  it('lead to the sign-in when the proxy refuses the calls of the page', async () => {
    const { page, problems, close } = await openAs(ADA);
    await page.getByRole('button', { name: 'Create API key' }).waitFor();
    // As nginx answers after the sign-in at the proxy has expired.
    await page.route(/\/(_svc|v1)\//, (route) => route.fulfill({ status: 401, contentType: 'text/html', body: '401' }));
    const reloaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    // The proxy would answer to this with its page. If it does not, the page is not loaded for ever.
    await reloaded;
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('are seen and revoked by an administrator, who also names owners', async () => {
    const ada = await openAs(ADA);
    await ada.page.getByRole('button', { name: 'Create API key' }).click();
    await ada.page.getByLabel('Name').fill('Laptop');
    await ada.page.keyboard.press('Enter');
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await ada.row('Laptop').waitFor();
    await ada.close();

    const { page, row, problems, close } = await openAs(ROOT);
    await row('SVC_API_KEY').waitFor();
    await row('Laptop').getByText(ADA).waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('CI');
    await page.getByLabel('Owner').fill('platform');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await row('CI').getByText('platform').waitFor();
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row('Laptop').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await close();

    const { entries } = await server.read('/_svc/audit');
    const acts = entries.map(({ actor, action }: { actor: { name: string }; action: string }) => [actor.name, action]);
    expect(acts).toEqual([
      [ROOT, 'api-keys.revoke'],
      [ROOT, 'api-keys.issue'],
      [ROOT, 'sign-in'],
      [ADA, 'api-keys.create'],
      [ADA, 'sign-in'],
    ]);
  });
});
