import type { Job } from '../model/jobs.js';
import type { Clock } from '../ports.js';
import { STORE_RETRY_MS, type Store, StoreUnavailableError } from '../store.js';

/** A job with the lease under which it was claimed. */
export interface Claimed {
  job: Job;
  leaseUntil: number;
}

export interface DeferredJobsDeps {
  store: Pick<Store, 'write'>;
  clock: Pick<Clock, 'after'>;
  onInternalError(error: unknown): void;
}

/** Keeps jobs that did not run and are still leased, until their leases are released. */
export class DeferredJobs {
  readonly #deferred = new Set<Claimed>();
  #stopped = false;

  constructor(private readonly deps: DeferredJobsDeps) {}

  /** Keeps a job for the next start. */
  keep(claimed: Claimed): void {
    this.#deferred.add(claimed);
  }

  /** Releases a job after a delay so that it runs again, or earlier when the pool stops. */
  releaseLater(claimed: Claimed): void {
    this.#deferred.add(claimed);
    this.deps.clock.after(STORE_RETRY_MS, () => {
      if (this.#stopped) return;
      this.#deferred.delete(claimed);
      this.#release(claimed).catch((error: unknown) => {
        if (error instanceof StoreUnavailableError) this.releaseLater(claimed);
        // If the store is unavailable, the lease expires.
        else this.deps.onInternalError(error);
      });
    });
  }

  /** Releases no job from now on, because the pool would claim it again while it is running. */
  stop(): void {
    this.#stopped = true;
  }

  /** Releases all jobs after the pool has stopped. */
  async releaseAll(): Promise<void> {
    await Promise.all(Array.from(this.#deferred, (claimed) => this.#release(claimed))).catch((error: unknown) => {
      // If the store is unavailable, the leases expire.
      if (!(error instanceof StoreUnavailableError)) this.deps.onInternalError(error);
    });
  }

  #release({ job, leaseUntil }: Claimed): Promise<void> {
    return this.deps.store.write((tx) => tx.jobs.release(job.seq, leaseUntil));
  }
}

/** Runs tasks one at a time, in order. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task after all earlier ones have ended, even if they failed. Returns its result. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }
}
