/** A wait between attempts that grows with each failure. */
export class Backoff {
  readonly #limits: { firstMs: number; longestMs: number };
  #ms: number;

  constructor(limits: { firstMs: number; longestMs: number }) {
    this.#limits = limits;
    this.#ms = limits.firstMs;
  }

  /** The current wait, in milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  grow(factor = 2): void {
    this.#ms = Math.min(this.#ms * factor, this.#limits.longestMs);
  }

  reset(): void {
    this.#ms = this.#limits.firstMs;
  }
}
