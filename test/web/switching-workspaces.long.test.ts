import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Switches the inbox between workspaces, as an administrator does. */

let browser: Browser;

describe.skipIf(withoutBrowser)(`workspaces${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function withWorkspaces(): Promise<InboxServer> {
    const server = await startInbox();
    for (const name of ['checkout', 'billing']) {
      const { json } = await server.call('POST', '/_svc/workspaces', { name });
      const authorization = `Bearer ${json.data.api_key}`;
      const email = { to: 'ada@example.test', from: 'app@example.test', subject: `Mail of ${name}`, html: '<p>Hi</p>' };
      expect((await server.call('POST', '/v1/emails', email, { authorization })).status).toBe(201);
    }
    return server;
  }

  it('shows only the emails of the chosen workspace, also after a reload, until another is chosen', async () => {
    const server = await withWorkspaces();
    const { page, close, problems } = await openInbox(browser, server.origin);
    const sidebar = page.getByRole('complementary', { name: 'Navigation' });
    const choose = async (name: string) => {
      await sidebar.getByRole('button', { name: /^Workspace / }).click();
      await page.getByRole('menuitemradio', { name }).click();
      await sidebar.getByRole('button', { name: `Workspace ${name}` }).waitFor();
    };
    await page.getByText('Mail of billing').waitFor();
    await choose('checkout');
    await page.getByText('Mail of checkout').waitFor();
    expect(await page.getByText('Mail of billing').count()).toBe(0);
    await page.reload();
    await sidebar.getByRole('button', { name: 'Workspace checkout' }).waitFor();
    await page.getByText('Mail of checkout').waitFor();
    expect(await page.getByText('Mail of billing').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('banner').getByRole('button', { name: 'Workspace checkout' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await choose('All workspaces');
    await page.getByText('Mail of billing').waitFor();
    expect(problems).toEqual([]);
    await close();
    await server.closeClean();
  });

  it('hides the choice on a server without workspaces', async () => {
    const server = await startInbox();
    const { page, close } = await openInbox(browser, server.origin);
    await page.getByRole('link', { name: 'Emails' }).waitFor();
    expect(await page.getByText('Workspace').count()).toBe(0);
    await close();
    await server.closeClean();
  });
});
