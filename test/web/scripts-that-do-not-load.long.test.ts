import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openContext, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests that a page whose scripts are blocked or missing shows what is wrong. */

const MAIN_SCRIPT = '**/inbox/assets/inbox-*.js';
const NOT_STARTED = 'The inbox has not started';
const NO_RESPONSE = 'The server has not responded for 10 seconds.';
const TEN_SECONDS = 10_000;

let browser: Browser;
let server: InboxServer;

async function openBlank(options = {}) {
  const context = await openContext(browser, options);
  const page = await context.newPage();
  return { page, close: () => context.close() };
}

/** Stops the animations of the page at a time after their start, in milliseconds. */
async function moveAnimations(page: Page, ms: number): Promise<void> {
  await page.evaluate((time) => {
    for (const animation of document.getAnimations()) {
      animation.pause();
      animation.currentTime = time;
    }
  }, ms);
}

/** Checks that a text appears after ten seconds, and not before. */
async function expectLate(page: Page, text: string): Promise<void> {
  const found = page.getByText(text);
  await found.waitFor({ state: 'attached' });
  await moveAnimations(page, TEN_SECONDS - 1);
  expect(await found.isVisible()).toBe(false);
  await moveAnimations(page, TEN_SECONDS);
  expect(await found.isVisible()).toBe(true);
}

describe.skipIf(withoutBrowser)(`scripts that do not load${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startInbox()]);
    await server.send({ subject: 'Welcome' });
  });
  afterAll(async () => {
    await browser.close();
    await server.closeClean();
  });

  it('explains after ten seconds that the main script did not load', async () => {
    const { page, close } = await openBlank();
    await page.route(MAIN_SCRIPT, (route) => route.abort());
    await page.goto(server.origin);
    await expectLate(page, NOT_STARTED);

    await page.unroute(MAIN_SCRIPT);
    await page.reload();
    await page.getByRole('link', { name: /Welcome/ }).waitFor();
    expect(await page.getByText(NOT_STARTED).count()).toBe(0);
    await close();
  });

  it('explains at once where scripts are disabled', async () => {
    const { page, close } = await openBlank({ javaScriptEnabled: false });
    await page.goto(server.origin);
    await page.getByText(NOT_STARTED).waitFor();
    await close();
  });

  it('explains after ten seconds that a part has not arrived', async () => {
    const { page, close } = await openBlank();
    await page.route('**/rules-page-*.js', () => {});
    await page.goto(`${server.origin}/inbox/rules`);
    await expectLate(page, NO_RESPONSE);
    await close();
  });

  it('shows lines in the place of a tab that has not arrived', async () => {
    const id = await server.send({ subject: 'Lines' });
    const { page, close } = await openBlank();
    await page.route('**/timeline-tab-*.js', () => {});
    await page.goto(`${server.origin}/inbox/emails/${id}/timeline`);
    const panel = page.getByRole('region', { name: 'Timeline' });
    const waiting = panel.getByRole('status');
    await waiting.waitFor();

    await moveAnimations(page, 200);

    const lines = waiting.locator(':scope > [aria-hidden]');
    expect(await lines.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    expect((await lines.boundingBox())?.width).toBeGreaterThan(300);
    await close();
  });

  it('explains that the sign-in did not load', async () => {
    const remote = await startInbox(0, { host: '0.0.0.0', inboxPassword: 'correct horse battery' });
    const { page, close } = await openBlank();
    await page.route('**/sign-in-*.js', (route) => route.abort(), { times: 1 });
    await page.goto(remote.origin);
    await page.getByText('This part of the page cannot be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByLabel('API key or inbox password').waitFor();
    await close();
    await remote.closeClean();
  });
});
