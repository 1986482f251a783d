/** Options for waiting: until a notification arrives, or until the idle period for a heartbeat has passed. */
export interface WaitOptions {
  signal: AbortSignal;
  /** Calls back once when the idle period has passed. Returns the function that cancels the call. */
  idle(wake: () => void): () => void;
}

/** An auto-reset event that also wakes after an idle period, at which a stream sends its heartbeat. */
export class HeartbeatSignal {
  #signalled = false;
  #resolve: ((idle: boolean) => void) | undefined;
  readonly #onAbort = () => this.notify();

  constructor(private readonly options: WaitOptions) {
    options.signal.addEventListener('abort', this.#onAbort);
    if (options.signal.aborted) this.notify();
  }

  notify(): void {
    this.#signalled = true;
    this.#resolve?.(false);
  }

  /** Waits for a notification since the last wait, or for the idle period. Returns whether the idle period has passed. */
  async wait(): Promise<boolean> {
    if (!this.#signalled) {
      const idle = await new Promise<boolean>((resolve) => {
        const cancel = this.options.idle(() => resolve(true));
        this.#resolve = (value) => {
          cancel();
          resolve(value);
        };
      });
      this.#resolve = undefined;
      if (idle && !this.#signalled) return true;
    }
    this.#signalled = false;
    return false;
  }

  close(): void {
    this.options.signal.removeEventListener('abort', this.#onAbort);
  }
}
