import type { Page } from 'playwright-core';
import type { OpenedPage } from './opened-page.js';

/** Times what a user does in the list, within the page: from the input to the drawn result. */

export interface Timed {
  ms: number[];
  /** Processor time of the page for each, in milliseconds. */
  cpuMs: number;
}

export interface Action {
  name: string;
  /** Runs before each, and is not measured. */
  prepare?(page: Page): Promise<void>;
  run(page: Page): Promise<void>;
  /** A selector of what appears. `{round}` stands for the number of the round. */
  result: string;
}

/** Repeats an action. Times begin with its first event in the page. */
export async function timeAction({ page, cpu }: OpenedPage, action: Action, rounds: number): Promise<Timed> {
  const ms: number[] = [];
  let cpuMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    await action.prepare?.(page);
    const before = await cpu();
    const shown = page.evaluate(untilShown, action.result.replace('{round}', String(round)));
    // The page must watch before the action happens.
    await page.evaluate(() => {});
    await action.run(page);
    ms.push(await shown);
    cpuMs += (await cpu()) - before;
  }
  return { ms, cpuMs: cpuMs / rounds };
}

/** Runs in the page: returns the milliseconds from the last key or click to the frame that shows the selector. */
async function untilShown(selector: string): Promise<number> {
  let began = Number.NaN;
  const note = (event: Event) => {
    began = event.timeStamp;
  };
  const inputs = ['keydown', 'click', 'pointerdown'];
  for (const input of inputs) addEventListener(input, note, true);
  const isShown = () => !Number.isNaN(began) && document.querySelector(selector) !== null;
  await new Promise<void>((resolve) => {
    const look = () => (isShown() ? setTimeout(resolve) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
  for (const input of inputs) removeEventListener(input, note, true);
  return performance.now() - began;
}
