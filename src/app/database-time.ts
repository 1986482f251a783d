import type { ServiceClock } from '../clock/clock.js';
import type { Shared } from '../core/store.js';

/** Milliseconds between two comparisons. */
const COMPARE_MS = 10_000;
/** A smaller difference is left to the machine. */
const DIFFERENCE_MIN_MS = 100;

/**
 * Makes the clock follow that of the database, so that leases and times are the same on all servers although the clocks
 * of their machines differ. Returns the function that ends it.
 */
export async function followDatabaseTime(shared: Shared, clock: ServiceClock): Promise<() => void> {
  let cancel = () => {};
  let hasEnded = false;

  async function compare(): Promise<void> {
    const before = clock.systemNow();
    const now = await shared.now();
    const after = clock.systemNow();
    const difference = Math.round(now - (before + after) / 2);
    // The answer is from any moment in between.
    if (Math.abs(difference) > Math.max(DIFFERENCE_MIN_MS, after - before)) clock.correct(difference);
  }

  function compareLater(): void {
    if (hasEnded) return;
    cancel = clock.after(COMPARE_MS, () => {
      // While the database is unavailable, the machine's time passes at the same pace.
      void compare()
        .catch(() => {})
        .then(compareLater);
    });
  }

  await compare();
  compareLater();
  return () => {
    hasEnded = true;
    cancel();
  };
}
