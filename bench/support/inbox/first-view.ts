import type { Browser } from 'playwright-core';
import { openPage } from './opened-page.js';
import type { Visit } from './plain-chromium.js';

export interface FirstView extends Visit {
  /** Bytes of the responses to all requests until then, as the browser received them. */
  transferred: number;
}

/** Opens the list with empty caches, as a first visit does. */
export async function measureFirstView(browser: Browser, address: string): Promise<FirstView> {
  const opened = await openPage(browser, address);
  await opened.page.waitForFunction(() => window.firstRow !== undefined);
  const ms = (await opened.page.evaluate(() => window.firstRow)) ?? Number.NaN;
  const cpuMs = await opened.cpu();
  const transferred = opened.traffic.bytesWithin(ms);
  await opened.close();
  return { ms, cpuMs, transferred };
}
