/** How a stream waits: until it is notified, or until it has been idle long enough for a heartbeat. */
export interface WaitOptions {
  signal: AbortSignal;
  /** Calls back once after the longest idle time of a reader. Returns the function that cancels it. */
  idle(wake: () => void): () => void;
}

/** An auto-reset event that also wakes after an idle period. */
export class AsyncSignal {
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

  /** Waits for a notification since the last wait, or for the idle period to pass. Returns true for the latter. */
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
