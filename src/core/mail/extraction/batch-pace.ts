import type { Core } from '../../context.js';
import type { BurstGate } from '../../jobs/ingest-backpressure.js';
import type { Clock } from '../../ports.js';

/** Milliseconds from a new email to the batch that contains it, so that one transaction serves several. */
const COLLECT_MS = 20;
/** The least pause while emails arrive, so that the next batch is not small. */
const GATHER_MS = 100;
/** The pause after a batch while emails arrive, in multiples of the time that the batch took. */
const PAUSE_FACTOR = 9;
/** Milliseconds between two checks whether messages still wait to be acknowledged or parsed. */
const YIELD_MS = 50;
/** Milliseconds that incoming messages can defer a batch. */
const DEFERRAL_MAX_MS = 3_000;

export interface BatchPaceDeps extends Pick<Core, 'store'> {
  clock: Pick<Clock, 'after'>;
  burstGate: Pick<BurstGate, 'isActive'>;
}

/** Decides when the next batch of background work runs: at once on a quiet server, a tenth of the time on a busy one. */
export class BatchPace {
  /** Number of commits that inserted or changed emails. */
  #commits = 0;
  #stopped = false;
  #cancel = () => {};

  constructor(private readonly deps: BatchPaceDeps) {}

  noteCommit(): void {
    this.#commits += 1;
  }

  /** Ends the current pause, and every later one at once. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Waits for more emails to process together. */
  collect(): Promise<void> {
    return this.pause(COLLECT_MS);
  }

  /** Waits while messages wait to be acknowledged or parsed, but not forever. */
  async yieldToIngest(): Promise<void> {
    const { store, burstGate } = this.deps;
    for (let waited = 0; waited < DEFERRAL_MAX_MS && !this.#stopped; waited += YIELD_MS) {
      if (!burstGate.isActive && !(await store.read.received.unparsedRange())) return;
      await this.pause(YIELD_MS);
    }
  }

  /** Waits after a batch until no commit has changed emails for a moment, or until the batch took a tenth of the time. */
  async restAfter(spentMs: number): Promise<void> {
    const limit = Math.max(GATHER_MS, spentMs * PAUSE_FACTOR);
    for (let rested = 0; rested < limit && !this.#stopped; rested += COLLECT_MS) {
      const commits = this.#commits;
      await this.pause(COLLECT_MS);
      if (this.#commits === commits) return;
    }
  }

  pause(milliseconds: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.deps.clock.after(milliseconds, resolve);
      this.#cancel = () => {
        cancel();
        resolve();
      };
    });
  }
}
