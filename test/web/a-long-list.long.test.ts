import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';
import { createManyEmails } from '../support/web/many-emails.js';

/** Tests that the list reads and draws only what is in view, however many emails there are. */

const COUNT = 100_000;
const ROW_PIXELS = 60;
/** The first page, or the rows that a window of 800 pixels shows with those that are ready above and below. */
const ROWS_DRAWN_MAX = 50;
/** Rows around those drawn that are read with them. */
const ROWS_NEAR = 100;
/** Two pages, which are read again when the server reports a change or that it still runs. */
const READS_MAX = 6;
/** How often a value is read that changes later, and for how long. */
const POLLED = { interval: 100, timeout: 60_000 };
/** Sending 3,000 emails takes a minute on a busy machine. */
const LONG_MS = 240_000;

let browser: Browser;
let directory: string;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;
/** Where the pages began that the list read, and how many emails each had. */
let reads: { offset: number; limit: number }[];

const list = (page: Page) => page.getByTestId('email-list');
const rowAt = (page: Page, index: number) => page.locator(`li[aria-posinset="${index + 1}"] a[data-email]`);

describe.skipIf(withoutBrowser)(`a list of 100,000 emails${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    directory = mkdtempSync(join(tmpdir(), 'svc-test-'));
    const file = join(directory, 'mail.db');
    await createManyEmails(file, COUNT);
    server = await startInbox(0, { storage: { file } });
  });
  afterAll(async () => {
    await browser.close();
    await server.closeClean();
    rmSync(directory, { recursive: true });
  });
  beforeEach(async () => {
    opened = await openInbox(browser, server.origin);
    reads = [];
    opened.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname !== '/_svc/emails') return;
      reads.push({ offset: Number(searchParams.get('offset')), limit: Number(searchParams.get('limit')) });
    });
    await opened.page.getByText('100,000 emails').waitFor();
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  it('reads only the pages in view while it scrolls, and keeps few rows', async () => {
    const { page } = opened;
    const positions = Array.from({ length: 21 }, (_, step) => Math.floor((step / 20) * (COUNT - 20)));
    let before = 0;
    for (const first of positions) {
      reads.length = 0;
      await list(page).evaluate((element, top) => element.scrollTo(0, top), first * ROW_PIXELS);
      await rowAt(page, first + 5).waitFor();

      expect(await rowAt(page, first + 5).textContent()).toContain(`Email ${COUNT - first - 5}`);
      expect(await list(page).locator('li').count()).toBeLessThanOrEqual(ROWS_DRAWN_MAX);
      expect(reads.length).toBeLessThanOrEqual(READS_MAX);
      // A page of the position before may still be on its way.
      const isNear = ({ offset, limit }: { offset: number; limit: number }, row: number) =>
        offset + limit > row - ROWS_NEAR && offset < row + ROWS_DRAWN_MAX + ROWS_NEAR;
      expect(reads.filter((read) => !isNear(read, first) && !isNear(read, before))).toEqual([]);
      before = first;
    }
  });

  it('keeps its memory after a scroll through all emails', async () => {
    const { page } = opened;
    const before = await memoryOf(page);

    await list(page).evaluate(async (element) => {
      for (let top = 0; top < element.scrollHeight; top += 20_000) {
        element.scrollTop = top;
        await new Promise(requestAnimationFrame);
      }
      element.scrollTop = element.scrollHeight;
    });
    await rowAt(page, COUNT - 1).waitFor();

    const after = await memoryOf(page);
    expect(after.nodes - before.nodes).toBeLessThan(1_000);
    expect(after.megabytes - before.megabytes).toBeLessThan(10);
  });

  it('opens the neighbors of an email whose address was opened', async () => {
    const { page } = opened;
    const idOf = (number: number) => `msg_${String(number).padStart(26, '0')}`;
    const heading = (number: number) => page.getByRole('heading', { name: `Email ${number}`, exact: true, level: 1 });
    await page.goto(`${server.origin}/inbox/emails/${idOf(40_000)}`);
    await heading(40_000).waitFor();
    await rowAt(page, 60_000).waitFor();

    const middle = await rowAt(page, 60_000).evaluate((row) => {
      const { top, bottom } = (row.closest('[data-testid=email-list]') as Element).getBoundingClientRect();
      const { y } = row.getBoundingClientRect();
      return (y - top) / (bottom - top);
    });
    expect(middle).toBeGreaterThan(0.3);
    expect(middle).toBeLessThan(0.7);

    await page.getByRole('button', { name: 'Older email' }).click();
    await heading(39_999).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await heading(40_001).waitFor();
    await page.goto(`${server.origin}/inbox/emails/${idOf(1)}?search=subject:email`);
    await heading(1).waitFor();
    expect(await page.getByRole('button', { name: 'Older email' }).isDisabled()).toBe(true);
  });

  it('moves with j and k, selects all, and deselects', async () => {
    const { page } = opened;
    const release = await holdReads(page);
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('j');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toContain(`Email ${COUNT - 49}Thank`);
    release();
    await expect.poll(focused).toContain(`Email ${COUNT - 59}Thank`);
    await page.keyboard.press('k');
    await expect.poll(focused).toContain(`Email ${COUNT - 58}Thank`);

    await page.getByRole('checkbox', { name: 'Select all emails' }).check();
    await page.getByText('100,000 selected').waitFor();
    await list(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    expect(await page.getByRole('checkbox', { name: 'Select Email 1', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('#');
    await page.getByRole('dialog', { name: 'Delete all 100,000 emails?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Deselect all' }).click();
    await page.getByText('100,000 emails').waitFor();
  });
});

/** Holds reads of pages below the first one. Returns the function that lets them go. */
async function holdReads(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/_svc\/emails\?.*offset=[1-9]/, (route) => released.then(() => route.continue()));
  return release;
}

describe.skipIf(withoutBrowser)(`a list that stays open${withoutBrowser}`, () => {
  it(
    'keeps its memory while 3,000 emails arrive',
    async () => {
      const [live, chromium] = await Promise.all([startInbox(0, { plan: 'none' }), launchBrowser()]);
      const { page, problems } = await openInbox(chromium, live.origin);
      const send = async (count: number) => {
        for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, () => live.send()));
      };
      await send(200);
      await page.getByText('200 emails').waitFor();
      const before = await memoryOf(page);

      await send(3_000);
      await page.getByText('3,200 emails').waitFor({ timeout: LONG_MS / 2 });

      // React keeps the rows before the last change until the next one.
      await expect.poll(async () => (await memoryOf(page)).nodes - before.nodes, POLLED).toBeLessThan(1_000);
      expect((await memoryOf(page)).megabytes - before.megabytes).toBeLessThan(10);
      expect(problems).toEqual([]);
      await chromium.close();
      await live.closeClean();
    },
    LONG_MS,
  );
});

/** Returns what the page keeps after its garbage is collected. */
async function memoryOf(page: Page): Promise<{ nodes: number; megabytes: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return { nodes, megabytes: usedSize / 1024 ** 2 };
}
