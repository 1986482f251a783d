import type { Clock } from '../../core/ports.js';

/** Milliseconds that the database has to answer a probe or a request for metrics. */
export const STORE_MS = 2_000;

/** Resolves with undefined when the database has had its time. Call `cancel` when the answer is no longer needed. */
export function storeTimeLimit(clock: Pick<Clock, 'after'>): { late: Promise<undefined>; cancel(): void } {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(STORE_MS, () => resolve(undefined));
  });
  return { late, cancel };
}
