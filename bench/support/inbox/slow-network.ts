import type { Browser } from 'playwright-core';
import { openPage } from './opened-page.js';

/** 400 ms to the first byte of each answer, and 50 kB a second. */
const SLOW = { latency: 400, throughput: 50_000 };

export interface SlowView {
  /** Milliseconds from the navigation to the first paint, to rows that can be opened, and to the whole list. */
  paintedMs: number;
  rowsMs: number;
  listMs: number;
  /** Bytes that had arrived when the rows were there. */
  bytesBeforeRows: number;
}

/** Opens the list over a slow network with empty caches. */
export async function measureSlowView(browser: Browser, address: string): Promise<SlowView> {
  const opened = await openPage(browser, address, SLOW);
  await opened.page.waitForFunction(() => window.firstRow !== undefined);
  const times = await opened.page.evaluate(() => ({
    paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    rowsMs: window.firstLink ?? Number.NaN,
    listMs: window.firstRow ?? Number.NaN,
  }));
  const bytesBeforeRows = opened.traffic.bytesReceivedBy(times.rowsMs);
  await opened.close();
  return { ...times, bytesBeforeRows };
}
