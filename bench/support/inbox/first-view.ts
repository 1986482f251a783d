import type { Browser } from 'playwright-core';
import { openPage } from './opened-page.js';

export interface FirstView {
  /** Milliseconds from the navigation to a drawn row. */
  usableMs: number;
  /** Processor time of the page until then, in milliseconds. */
  cpuMs: number;
  /** Bytes of all responses, as the browser received them. */
  transferred: number;
}

/** Opens the list with empty caches, as a first visit does. */
export async function measureFirstView(browser: Browser, address: string): Promise<FirstView> {
  const opened = await openPage(browser, address);
  await opened.page.waitForFunction(() => window.firstRow !== undefined);
  const usableMs = (await opened.page.evaluate(() => window.firstRow)) ?? Number.NaN;
  const cpuMs = await opened.cpu();
  const transferred = opened.traffic.bytes;
  await opened.close();
  return { usableMs, cpuMs, transferred };
}
