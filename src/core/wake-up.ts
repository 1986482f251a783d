/** How a stream waits: until it is rung, or until it has been idle so long that its reader should hear from it. */
export interface WaitOptions {
  signal: AbortSignal;
  /** Calls back once after the longest silence a reader should see. Returns the function that cancels it. */
  idle(wake: () => void): () => void;
}

/** A bell that keeps a ring that nobody was waiting for. */
export class WakeUp {
  #rung = false;
  #resolve: ((idle: boolean) => void) | undefined;
  readonly #onAbort = () => this.ring();

  constructor(private readonly options: WaitOptions) {
    options.signal.addEventListener('abort', this.#onAbort);
    if (options.signal.aborted) this.ring();
  }

  ring(): void {
    this.#rung = true;
    this.#resolve?.(false);
  }

  /** Waits for a ring since the last wait, or for the idle spell to pass. True when it was the idle spell. */
  async wait(): Promise<boolean> {
    if (!this.#rung) {
      const idle = await new Promise<boolean>((resolve) => {
        const cancel = this.options.idle(() => resolve(true));
        this.#resolve = (value) => {
          cancel();
          resolve(value);
        };
      });
      this.#resolve = undefined;
      if (idle && !this.#rung) return true;
    }
    this.#rung = false;
    return false;
  }

  close(): void {
    this.options.signal.removeEventListener('abort', this.#onAbort);
  }
}
