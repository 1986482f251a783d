import { setImmediate } from 'node:timers/promises';
import { ServiceClock } from '../../src/clock/clock.js';

/** Time on a machine where it passes only while somebody waits. */
export class Machine {
  now = Date.UTC(2026, 5, 1, 12);
}

/** The service's clock on such a machine. What is not waited for does not come by itself. */
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
