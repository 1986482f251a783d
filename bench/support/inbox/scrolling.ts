import type { Browser } from 'playwright-core';
import type { OpenedPage } from './opened-page.js';

export interface Scrolling {
  /** Milliseconds between frames. */
  frames: number[];
  /** Milliseconds of the frames that the browser reports as long: those over 50 ms. */
  longFrames: number[];
  /** Processor time of the page's longest task, in milliseconds. */
  longestTaskCpu: number;
  /** Milliseconds from the last frame until all rows in view are filled. */
  filledMs: number;
  requests: number;
}

/** Scrolls by as many pixels in each frame, from the current position down. */
export async function measureScrolling(
  browser: Browser,
  { page, traffic }: OpenedPage,
  { pixels, frames }: { pixels: number; frames: number },
): Promise<Scrolling> {
  const requests = traffic.requests;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const scrolled = await page.evaluate(scroll, { pixels, frames });
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { ...scrolled, longestTaskCpu: longestTask(trace.traceEvents), requests: traffic.requests - requests };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time, in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** Returns the milliseconds of processor time of the longest task on a page's main thread. */
function longestTask(events: readonly TraceEvent[]): number {
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && main.has(threadOf(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}

const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;

/** Runs in the page. */
async function scroll({ pixels, frames }: { pixels: number; frames: number }) {
  const list = document.querySelector('[data-testid=email-list]');
  const longFrames: number[] = [];
  const observer = new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) longFrames.push(duration);
  });
  observer.observe({ type: 'long-animation-frame' });
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const times = [await nextFrame()];
  for (let frame = 0; frame < frames; frame += 1) {
    list?.scrollBy(0, pixels);
    times.push(await nextFrame());
  }
  const stopped = performance.now();
  const isFilled = () => {
    const { top = 0, bottom = 0 } = list?.getBoundingClientRect() ?? {};
    const rows = Array.from(list?.querySelectorAll('li') ?? []).filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    return rows.length > 5 && rows.every((row) => row.querySelector('a'));
  };
  while (!isFilled() && performance.now() - stopped < 10_000) await nextFrame();
  const filledMs = isFilled() ? performance.now() - stopped : Number.NaN;
  observer.disconnect();
  return { frames: times.slice(1).map((time, index) => time - (times[index] ?? 0)), longFrames, filledMs };
}
