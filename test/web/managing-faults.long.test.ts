import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the faults on the page of rules. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

describe.skipIf(withoutBrowser)(`faults in the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
    opened = await openInbox(browser, server.origin, '/inbox/rules');
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('adds a preset, counts its hits live, and removes a fault', async () => {
    const { page } = opened;
    await page.getByRole('heading', { name: 'No faults' }).waitFor();
    await page.getByRole('button', { name: 'Add a preset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a preset' });
    await dialog.getByLabel('Preset').selectOption('rate-limited');
    await dialog.getByText('REST refuses every second email').waitFor();
    await dialog.getByRole('button', { name: 'Add faults' }).click();

    const table = page.getByRole('table', { name: 'Faults' });
    const row = table.getByRole('row').filter({ hasText: 'POST /v1/emails' });
    await row.getByText('every 2, preset rate-limited').waitFor();
    await row.getByRole('cell', { name: '0', exact: true }).waitFor();
    expect((await server.call('POST', '/v1/emails', EMAIL)).status).toBe(201);
    expect((await server.call('POST', '/v1/emails', EMAIL)).status).toBe(429);
    await server.call('POST', '/v1/emails', EMAIL);
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();

    await row.getByRole('button', { name: 'Remove the fault 429 at POST /v1/emails' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await server.read('/_svc/faults')).faults).toMatchObject([{ smtp: 'mail' }]);
  });
});

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
