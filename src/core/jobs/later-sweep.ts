import type { Clock } from '../ports.js';
import { type Committed, type Store, StoreUnavailableError } from '../store.js';
import type { CommitSweep } from './job-kinds.js';
import { WorkLoop } from './work-loop.js';

export interface LaterSweepDeps {
  store: Store;
  clock: Clock;
  onInternalError(error: unknown): void;
}

/** Work that some commits cause, and time: it follows in transactions of its own, and has no jobs. */
export abstract class LaterSweep<Deps extends LaterSweepDeps> implements CommitSweep {
  readonly #loop: WorkLoop;
  #cancel = () => {};
  /** System time of the next look for due work; infinite if none is planned. */
  #lookAt = Number.POSITIVE_INFINITY;
  #unsubscribe = () => {};

  constructor(protected readonly deps: Deps) {
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.doSome(),
      onError(error) {
        // An unavailable store is reported by the callers whose writes failed. The work is retried.
        if (!(error instanceof StoreUnavailableError)) deps.onInternalError(error);
      },
      onIdle: () => this.onIdle(),
    });
  }

  /** Plans a look after a commit that may have caused work. */
  protected abstract onCommit(committed: Committed): void;

  /** Does a part of the due work. Returns whether more may be due. */
  protected abstract doSome(): Promise<boolean>;

  /** Called when no work is due. */
  protected onIdle(): void {}

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit((committed) => this.onCommit(committed));
    this.#loop.kick();
  }

  async drain(): Promise<void> {
    while (await this.doSome());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop.stop();
    this.#cancel();
  }

  protected lookNow(): void {
    this.#loop.kick();
  }

  /** Looks for due work within some milliseconds of system time. */
  protected lookWithin(milliseconds: number): void {
    const { clock } = this.deps;
    const at = clock.systemNow() + milliseconds;
    if (at >= this.#lookAt) return;
    this.#cancel();
    this.#lookAt = at;
    this.#cancel = clock.after(milliseconds, () => {
      this.#lookAt = Number.POSITIVE_INFINITY;
      this.#loop.kick();
    });
  }
}
