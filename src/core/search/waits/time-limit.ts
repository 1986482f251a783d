import type { Clock } from '../../ports.js';

/** A time limit on the machine's clock that a signal ends early. */
export class TimeLimit {
  /** Resolves when the time is up or the signal fires. */
  readonly over: Promise<undefined>;
  readonly cancel: () => void;
  isOver = false;

  constructor(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal) {
    let end = () => {};
    this.over = new Promise((resolve) => {
      end = () => {
        this.isOver = true;
        resolve(undefined);
      };
    });
    const cancelTimer = clock.after(milliseconds, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    this.cancel = () => {
      cancelTimer();
      signal.removeEventListener('abort', end);
    };
  }
}
