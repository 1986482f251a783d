/** An auto-reset event: several notifications between two waits count as one. */
export class AsyncSignal {
  #signalled = false;
  #resolve = () => {};

  notify(): void {
    this.#signalled = true;
    this.#resolve();
  }

  /** Resolves at the next notification, at once when there was one since the last wait. */
  async wait(): Promise<void> {
    if (!this.#signalled) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#signalled = false;
  }
}
