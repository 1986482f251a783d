import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumPath, withoutChromium } from '../../../test/support/web/chromium-path.js';

/** Opens the inbox in Chromium, and measures its page through the DevTools protocol. */

export interface OpenedPage {
  page: Page;
  devtools: CDPSession;
  /** Requests of the page so far. */
  traffic: Traffic;
  /** Returns the processor time of the page's main thread, in milliseconds. */
  cpu(): Promise<number>;
  /** Returns what the page keeps after its garbage is collected. */
  memory(): Promise<Memory>;
  /** Milliseconds to add to times of the page to compare them with times of this process. */
  clockOffset(): Promise<number>;
  close(): Promise<void>;
}

interface Traffic {
  requests: number;
  /** Returns the bytes of the responses to requests in the page's first milliseconds, headers included. */
  bytesWithin(ms: number): number;
  /** Returns the bytes that had arrived after so many milliseconds, of responses that had not ended, too. */
  bytesReceivedBy(ms: number): number;
}

interface Memory {
  heapBytes: number;
  nodes: number;
  listeners: number;
}

export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(withoutChromium);
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/** Conditions of the network that DevTools imitate. */
export interface Network {
  /** Milliseconds from a request to the first byte of its response. */
  latency: number;
  /** Bytes a second. */
  throughput: number;
}

/** Opens an address with empty caches, and resolves when the first row is in the list. */
export async function openPage(browser: Browser, address: string, network?: Network): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(noteFirstRows);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Network.enable');
  if (network) {
    const { latency, throughput } = network;
    const speeds = { downloadThroughput: throughput, uploadThroughput: throughput };
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...speeds });
  }
  const traffic = trafficOf(devtools);
  await page.goto(address);
  await page.locator('a[data-email]').first().waitFor();
  const metric = async (name: string) => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  };
  return {
    ...{ page, devtools, traffic },
    cpu: async () => (await metric('TaskDuration')) * 1_000,
    async memory() {
      await devtools.send('HeapProfiler.collectGarbage');
      const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
      return { heapBytes: await metric('JSHeapUsedSize'), nodes, listeners: jsEventListeners };
    },
    clockOffset: () => clockOffsetOf(page),
    close: () => context.close(),
  };
}

function trafficOf(devtools: CDPSession): Traffic {
  const sent = new Map<string, { seconds: number; bytes: number }>();
  const received: { seconds: number; bytes: number }[] = [];
  devtools.on('Network.requestWillBeSent', ({ requestId, timestamp }) => {
    sent.set(requestId, { seconds: timestamp, bytes: 0 });
  });
  devtools.on('Network.dataReceived', ({ timestamp, encodedDataLength }) => {
    received.push({ seconds: timestamp, bytes: encodedDataLength });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = sent.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  const startedAt = () => sent.values().next().value?.seconds ?? 0;
  const bytesUntil = (all: Iterable<{ seconds: number; bytes: number }>, ms: number) =>
    [...all].reduce((sum, { seconds, bytes }) => sum + (seconds <= startedAt() + ms / 1_000 ? bytes : 0), 0);
  return {
    get requests() {
      return sent.size;
    },
    bytesWithin: (ms) => bytesUntil(sent.values(), ms),
    bytesReceivedBy: (ms) => bytesUntil(received, ms),
  };
}

/** Compares the clocks over the fastest of several calls, whose duration is the error. */
async function clockOffsetOf(page: Page): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let round = 0; round < 30; round += 1) {
    const before = performance.timeOrigin + performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = performance.timeOrigin + performance.now();
    if (after - before < best.took) best = { took: after - before, offset: (before + after) / 2 - there };
  }
  return best.offset;
}

declare global {
  interface Window {
    /** Milliseconds from the navigation to the first row that is drawn by the list. */
    firstRow?: number;
    /** The same of a row that can be read and opened, which the page's first script draws if the list is late. */
    firstLink?: number;
  }
}

/** Runs in the page before its scripts. */
export function noteFirstRows(): void {
  const note = (selector: string, then: (ms: number) => void) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      // A task after the next frame runs once the frame is drawn.
      requestAnimationFrame(() => setTimeout(() => then(performance.now())));
    });
    observer.observe(document, { childList: true, subtree: true });
  };
  note('li a[href]', (ms) => {
    window.firstLink = ms;
  });
  note('a[data-email]', (ms) => {
    window.firstRow = ms;
    window.dispatchEvent(new Event('firstrow'));
  });
}
