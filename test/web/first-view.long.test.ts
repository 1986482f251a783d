import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hold,
  type InboxServer,
  launchBrowser,
  openContext,
  openInbox,
  startInbox,
  withoutBrowser,
} from '../support/web/browser.js';

/** Tests what the page requests before it shows the list. */

const MAIN_SCRIPT = '**/inbox/assets/inbox-*.js';
const LATER_SCRIPTS = /\/inbox\/assets\/(?!inbox-|start-)[^/]+\.js$/;
const LIMIT = 150_000;

let browser: Browser;
let server: InboxServer;

/** Opens a blank page whose requests to the server are collected, such as `GET /_svc/summary`. */
async function openBlank() {
  const context = await openContext(browser);
  const page = await context.newPage();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/_svc/')) calls.push(`${request.method()} ${pathname}`);
  });
  return { page, calls, close: () => context.close() };
}

describe.skipIf(withoutBrowser)(`the first view${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startInbox();
    for (let count = 0; count < 60; count += 1) await server.send({ subject: `Order ${count}` });
  });
  afterAll(async () => {
    await browser.close();
    await server.closeClean();
  });

  it('reads the list while the main script loads, and once', async () => {
    const { page, calls, close } = await openBlank();
    const release = await hold(page, MAIN_SCRIPT);
    // Once it is connected, the page reads everything again.
    await page.route('**/_svc/events*', () => {});
    const list = page.waitForResponse('**/_svc/emails?*');

    await page.goto(`${server.origin}/?search=subject:order`, { waitUntil: 'commit' });
    expect(new URL((await list).url()).searchParams.get('search')).toBe('subject:order');
    release();
    await page.getByText('60 emails found').waitFor();

    expect(calls.filter((call) => !/events|clock/.test(call)).sort()).toEqual([
      'GET /_svc/emails',
      'GET /_svc/summary',
      'POST /_svc/inbox/session',
    ]);
    await close();
  });

  it('does not read the list for another page', async () => {
    const { page, calls, close } = await openBlank();
    const release = await hold(page, MAIN_SCRIPT);
    const summary = page.waitForResponse('**/_svc/summary');

    await page.goto(`${server.origin}/inbox/api-keys`, { waitUntil: 'commit' });
    await summary;
    release();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();

    expect(calls).not.toContain('GET /_svc/emails');
    await close();
  });

  it('draws the shape of the list without style sheet and scripts', async () => {
    const { page, close } = await openBlank();
    await page.route('**/inbox/assets/*', () => {});

    await page.goto(`${server.origin}/`, { waitUntil: 'commit' });
    const row = page.locator('.shape li').first();
    await row.waitFor();

    const { width = 0, height } = (await row.boundingBox()) ?? {};
    expect([width, height]).toEqual([1280 - 216, 60]);
    expect(await page.getByText('The inbox has not started').isVisible()).toBe(false);
    await close();
  });

  it.each([1280, 390])('draws the rows early where the main script draws them, %i pixels wide', async (width) => {
    const { page, close } = await openBlank();
    await page.setViewportSize({ width, height: 800 });
    const release = await hold(page, MAIN_SCRIPT);
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y;

    await page.goto(`${server.origin}/`, { waitUntil: 'commit' });
    const early = await topOf(page.locator('.shape li', { hasText: 'Order 59' }));
    release();
    const row = page.getByRole('listitem').filter({ hasText: 'Order 59' });
    await row.waitFor();

    expect(early).toBeCloseTo((await topOf(row)) ?? 0, 0);
    expect(await page.locator('.shape').count()).toBe(0);
    await close();
  });

  it('opens an email on a click before the main script runs', async () => {
    const { page, close } = await openBlank();
    const release = await hold(page, MAIN_SCRIPT);

    await page.goto(`${server.origin}/?q=order`, { waitUntil: 'commit' });
    await page.locator('.shape a', { hasText: 'Order 59' }).click();
    release();
    await page.getByRole('heading', { name: 'Order 59', level: 1 }).waitFor();

    expect(new URL(page.url()).search).toBe('?q=order');
    await close();
  });

  it('transfers at most 150 kB', async () => {
    const { page, close } = await openBlank();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    // What follows the list is not part of the first view.
    await page.route(LATER_SCRIPTS, (route) => route.abort());
    let bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });

    await page.goto(server.origin);
    await page.getByRole('link', { name: /Order 59/ }).waitFor();

    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(LIMIT);
    await close();
  });
});

it.skipIf(withoutBrowser)(`stays signed in when reloaded before the main script runs${withoutBrowser}`, async () => {
  const password = 'correct horse battery';
  const [chromium, remote] = await Promise.all([
    launchBrowser(),
    startInbox(0, { host: '0.0.0.0', inboxPassword: password }),
  ]);
  await remote.send({ subject: 'For the team' });
  const { page } = await openInbox(chromium, remote.origin);
  await page.getByLabel('API key or inbox password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: /For the team/ }).waitFor();

  await page.route(MAIN_SCRIPT, (route) => route.abort());
  const summary = page.waitForResponse('**/_svc/summary');
  await page.reload();
  await summary;
  await page.unroute(MAIN_SCRIPT);
  await page.reload();

  await page.getByRole('link', { name: /For the team/ }).waitFor();
  await chromium.close();
  await remote.closeClean();
});
