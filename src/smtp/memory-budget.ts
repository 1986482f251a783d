/** Counts the bytes of messages that are being received, over all connections, against a limit. */
export class MemoryBudget {
  #used = 0;

  constructor(private readonly limit: number) {}

  /** Takes bytes and returns true, or returns false when the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false;
    this.#used += bytes;
    return true;
  }

  /** Returns bytes that were taken. */
  release(bytes: number): void {
    this.#used -= bytes;
  }
}
