import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the request log in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/requests') => {
  opened = await openInbox(browser, server.origin, path);
  await opened.page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  return opened.page;
};
const links = (page: Page) => page.getByRole('table', { name: 'Requests, newest first' }).getByRole('link');

describe.skipIf(withoutBrowser)(`the requests page${withoutBrowser}`, () => {
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

  it('shows requests as they arrive', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();

    await server.call('GET', '/v1/templates');
    await links(page).filter({ hasText: 'GET /v1/templates' }).waitFor();
    await server.send();

    await links(page).filter({ hasText: 'POST /v1/emails' }).waitFor();
  });

  it('filters by path, method and status in the address', async () => {
    await server.send();
    await server.call('GET', '/v1/emails');
    await server.call('GET', '/v1/templates/tpl_nothing');
    const page = await open();
    await expect.poll(() => links(page).count()).toBe(3);

    await page.getByLabel('Path').fill('emails');
    await expect.poll(() => links(page).count()).toBe(2);
    await page.getByLabel('Method').selectOption('GET');
    await expect.poll(() => links(page).allTextContents()).toEqual(['GET /v1/emails']);
    expect(new URL(page.url()).search).toBe('?method=GET&path=emails');
    await page.getByLabel('Status').selectOption('4xx');
    await page.getByRole('heading', { name: 'No requests match' }).waitFor();
    await page.goto(`${server.origin}/inbox/requests?status=4xx`);

    await expect.poll(() => links(page).allTextContents()).toEqual(['GET /v1/templates/tpl_nothing']);
  });

  it('shows the message and the invalid fields of a refused request', async () => {
    await server.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'nobody', subject: '', html: 'x' });
    const page = await open();
    const row = page.getByRole('row').filter({ hasText: 'POST /v1/emails' });
    await row.getByText(/\(and 1 more\)$/).waitFor();

    await links(page).click();

    const fields = page.getByRole('list', { name: 'Invalid fields' }).getByRole('listitem');
    await expect.poll(() => fields.count()).toBe(2);
    expect(await fields.filter({ hasText: 'subject must not be empty' }).count()).toBe(1);
    const message = await page
      .getByRole('definition')
      .getByText(/\(and 1 more\)/)
      .boundingBox();
    expect(message?.width).toBeGreaterThan(200);
  });

  it('shows the path of the address in its field, wherever the address comes from', async () => {
    await server.send();
    const page = await open();
    await page.getByLabel('Path').fill('nothing');
    await page.getByRole('heading', { name: 'No requests match' }).waitFor();

    await page.getByRole('button', { name: 'Show all requests' }).click();

    await expect.poll(() => links(page).count()).toBe(1);
    expect(await page.getByLabel('Path').inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('nothing');
  });

  it('shows requests as they arrive after the stream of the log has ended', async () => {
    let ended = 0;
    opened = await openInbox(browser, server.origin, '/inbox/emails');
    const { page } = opened;
    await page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
    await page.route('**/_svc/requests/stream*', (route) => {
      ended += 1;
      return ended > 1
        ? route.continue()
        : route.fulfill({ contentType: 'text/event-stream', body: ': connected\n\n' });
    });
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await expect.poll(() => ended).toBe(2);

    await server.send();

    await links(page).filter({ hasText: 'POST /v1/emails' }).waitFor();
  });

  it('shows requests as they arrive after a restart of the server', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await server.close();
    await page.getByText('the server stopped or cannot be reached').waitFor();
    server = await startInbox(server.port);
    await page.locator('[data-connection="live"]').waitFor({ state: 'attached', timeout: 30_000 });

    // The list is empty in any case: only the stream of the log reports this request.
    await server.send();

    await links(page).filter({ hasText: 'POST /v1/emails' }).waitFor();
  });

  it('opens a request with its warnings, and returns to the filtered list', async () => {
    await server.send({ attachements: [] });
    await server.call('GET', '/v1/emails');
    const page = await open('/inbox/requests?method=POST');
    await links(page).click();

    await page.getByText('Correct the name of the field, or remove it.').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/inbox\/requests\/req_\w+$/);
    await page.reload();
    await page.getByText('Correct the name of the field, or remove it.').waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();

    await expect.poll(() => links(page).count()).toBe(1);
  });

  it('reports a request that is not in the log', async () => {
    const page = await open('/inbox/requests/req_nothing');

    await page.getByRole('heading', { name: 'Request not found' }).waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
  });
});
