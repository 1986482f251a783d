import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { ROOT } from '../cli/binary.js';
import { runTool } from '../cli/tools.js';
import { launchBrowser } from './browser.js';

/** Opens an HTML file in a browser. `messages` are those of its console. */
export async function openFile(url: string, viewport: { width: number; height: number }) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport });
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  // What the page loads from the network begins within this time.
  await page.goto(url, { waitUntil: 'networkidle' });
  return { page, messages, close: () => browser.close() };
}

const PIXEL_COUNTER = join(ROOT, 'test/support/mail/count_pixels.py');

/** Waits until a picture of the page has more than so many red pixels. Frames are drawn after their page is loaded. */
export async function untilRed(page: Page, file: string, pixels: number): Promise<void> {
  const isRed = async () => {
    await page.screenshot({ path: file });
    expect(Number(await runTool('python3', [PIXEL_COUNTER, file, '255', '0', '0']))).toBeGreaterThan(pixels);
  };
  await vi.waitFor(isRed, { timeout: 30_000, interval: 100 });
}
