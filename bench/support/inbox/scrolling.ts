import type { Browser } from 'playwright-core';
import type { OpenedPage } from './opened-page.js';

export interface Scrolling {
  /** Milliseconds between frames. */
  frames: number[];
  /** Processor time of the page's main thread in each frame, in milliseconds: other programs do not lengthen it. */
  frameCpu: number[];
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
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  const scrolled = await page.evaluate(scroll, { pixels, frames, mark: FRAME });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { ...scrolled, frameCpu: cpuOfFrames(traceEvents), requests: traffic.requests - requests };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** Processor time, in microseconds. */
  tdur?: number;
}

/** What the page calls the beginning of each frame in the trace. */
const FRAME = 'svc-frame';

/** Returns the milliseconds of processor time of the tasks that began in each frame on the thread that drew it. */
function cpuOfFrames(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === FRAME).sort((one, other) => one.ts - other.ts);
  const tasks = events.filter(
    ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pid === marks[0]?.pid && tid === marks[0]?.tid,
  );
  return marks.slice(1).map((end, index) => {
    const start = marks[index]?.ts ?? 0;
    const within = tasks.filter(({ ts }) => ts >= start && ts < end.ts);
    return within.reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
  });
}

/** Runs in the page. */
async function scroll({ pixels, frames, mark }: { pixels: number; frames: number; mark: string }) {
  const list = document.querySelector('[data-testid=email-list]');
  const nextFrame = async () => {
    const time = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    performance.mark(mark);
    return time;
  };
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
  return { frames: times.slice(1).map((time, index) => time - (times[index] ?? 0)), filledMs };
}
