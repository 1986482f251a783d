import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer } from '../support/servers/dns-server.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the pages of sending domains in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path: string) => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};

describe.skipIf(withoutBrowser)(`domains${withoutBrowser}`, () => {
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

  it('adds a domain, names the missing record, and verifies it after that is published', async () => {
    const page = await open('/inbox/domains');
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.keyboard.type('localhost');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Domain', description: /at least two labels/ }).waitFor();
    await page.getByLabel('Domain', { exact: true }).fill('mail.example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'mail.example.com' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/inbox/domains/mail.example.com');
    await page.getByRole('button', { name: 'Remove the SPF record' }).click();
    await page.getByRole('button', { name: 'Publish the SPF record' }).waitFor();

    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Not verified: the SPF record is missing or wrong.').waitFor();
    expect((await server.read('/v1/domains/mail.example.com')).status).toBe('pending');

    await page.getByRole('button', { name: 'Publish all missing records' }).click();
    await page.getByRole('button', { name: 'Remove the SPF record' }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Verified: all required records exist.').waitFor();
    expect((await server.read('/v1/domains/mail.example.com')).status).toBe('verified');
  });

  it('copies the value of a record', async () => {
    await server.call('POST', '/v1/domains', { domain: 'mail.example.com' });
    const page = await open('/inbox/domains/mail.example.com');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    await page.getByRole('button', { name: 'Copy the value of the SPF record' }).click();

    await page.getByText('Copied').waitFor({ state: 'attached' });
    const { records } = await server.read('/_svc/dns');
    const spf = records.find(({ purpose }: { purpose: string }) => purpose === 'spf');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(spf.value);
  });

  it('shows what a real DNS has instead of a record, and why it does not answer', async () => {
    const dns = await startDnsServer();
    await server.closeClean();
    server = await startInbox(0, { dns: { servers: [{ host: '127.0.0.1', port: dns.port }] } });
    await server.call('POST', '/v1/domains', { domain: 'mail.example.com' });
    dns.zone.set('mail.example.com', [['v=spf1 include:_spf.other.example ~all']]);
    const page = await open('/inbox/domains/mail.example.com');
    const spf = page.getByRole('article', { name: 'SPF record' });
    await spf.getByText('different').waitFor();
    await spf.getByText('v=spf1 include:_spf.other.example ~all').waitFor();
    expect(await page.getByRole('button', { name: /Publish/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Not verified: the Verification, SPF, and DKIM records are missing or wrong.').waitFor();
    dns.answerWith = 'SERVFAIL';
    await page.getByRole('button', { name: 'Verify' }).click();

    await page.getByRole('alert').filter({ hasText: 'SERVFAIL' }).waitFor();
    await spf.getByText('The DNS did not answer.').waitFor();
    await dns.close();
  });

  it('deletes a domain after a confirmation', async () => {
    await server.call('POST', '/v1/domains', { domain: 'mail.example.com' });
    const page = await open('/inbox/domains');
    await page.getByRole('link', { name: 'mail.example.com' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByRole('heading', { name: 'No domains yet' }).waitFor();
    expect((await server.call('GET', '/v1/domains/mail.example.com')).status).toBe(404);
  });

  it('reads domains again when its window gets the focus, and reports one that does not exist', async () => {
    const page = await open('/inbox/domains');
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor();
    await server.call('POST', '/v1/domains', { domain: 'from.a.command.example' });
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('link', { name: 'from.a.command.example' }).waitFor();

    await page.goto(`${server.origin}/inbox/domains/nothing.example`);
    await page.getByRole('heading', { name: 'Domain not found' }).waitFor();
    await page.getByRole('link', { name: 'All domains' }).click();
    await page.getByRole('link', { name: 'from.a.command.example' }).waitFor();
  });
});
