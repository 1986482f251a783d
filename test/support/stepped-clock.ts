import { setImmediate } from 'node:timers/promises';
import { ServiceClock } from '../../src/clock/clock.js';

/** Simulates the time of a machine, which advances only while a caller waits. */
export class Machine {
  now = Date.UTC(2026, 5, 1, 12);
}

/** Runs the service's clock on a simulated machine. Time advances only while a caller waits. */
export class SteppedClock extends ServiceClock {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    super();
    this.#machine = machine;
  }

  override systemNow(): number {
    return this.#machine.now;
  }

  override after(): () => void {
    return () => {};
  }

  override async sleep(milliseconds: number): Promise<void> {
    this.#machine.now += milliseconds;
    await setImmediate();
  }
}

/** A stepped clock whose timers a test runs. */
export class ManualClock extends SteppedClock {
  readonly timers = new Set<{ milliseconds: number; callback: () => void }>();

  override after(milliseconds = 0, callback = () => {}): () => void {
    const timer = { milliseconds, callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  runTimers(): void {
    for (const timer of [...this.timers]) {
      this.timers.delete(timer);
      timer.callback();
    }
  }
}
