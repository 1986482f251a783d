import type { SmtpClient } from '../smtp-client.js';
import type { OpenedPage } from './opened-page.js';

/** Measures from the server's 250 to the email's row in the page. */

declare global {
  interface Window {
    arrivals?: Record<string, number>;
  }
}

/** Sends emails at a rate. Returns the milliseconds from the 250 of each to its row. */
export async function measureArrivals(
  { page, clockOffset }: OpenedPage,
  client: SmtpClient,
  { count, everyMs }: { count: number; everyMs: number },
): Promise<number[]> {
  const run = Math.random().toString(36).slice(2, 8);
  await page.evaluate(watchRows, run);
  const accepted = new Map<string, number>();
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    // The page reads at most every few milliseconds: emails must not be sent in step with that.
    await until(began + (index + Math.random()) * everyMs);
    const subject = `${run}-${index}`;
    await client.sendMessage(messageOf(subject));
    accepted.set(subject, performance.timeOrigin + performance.now());
  }
  await page.waitForFunction((expected) => Object.keys(window.arrivals ?? {}).length === expected, count);
  const seen = (await page.evaluate(() => window.arrivals)) ?? {};
  const offset = await clockOffset();
  return [...accepted].map(([subject, at]) => (seen[subject] ?? Number.NaN) + offset - at);
}

/** Sends emails at a rate, at most one at a time. */
export async function sendAtRate(client: SmtpClient, count: number, perSecond: number): Promise<void> {
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    await until(began + (index / perSecond) * 1_000);
    await client.sendMessage(messageOf(`Receipt ${index}`));
  }
}

function messageOf(subject: string): Buffer {
  return Buffer.from(
    `From: Shop <shop@example.test>\r\nTo: ada@example.test\r\nSubject: ${subject}\r\n\r\nThank you for your order.`,
  );
}

async function until(time: number): Promise<void> {
  const ms = time - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs in the page: notes when a row with a subject of this run appears. */
function watchRows(run: string): void {
  const seen: Record<string, number> = {};
  window.arrivals = seen;
  const pattern = new RegExp(`${run}-\\d+`);
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('a[data-email]')) {
      const subject = pattern.exec(row.textContent ?? '')?.[0];
      if (subject !== undefined) seen[subject] ??= performance.timeOrigin + performance.now();
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}
