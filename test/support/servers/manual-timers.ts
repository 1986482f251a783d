/** Timers that the test fires. */
export class ManualTimers {
  #waiting: { callback: () => void; milliseconds: number }[] = [];

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { callback, milliseconds };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== timer);
    };
  }

  /** Returns the number of waiting timers. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Fires every timer that is set now for at most this many milliseconds. */
  fire(upTo: number): void {
    const due = this.#waiting.filter(({ milliseconds }) => milliseconds <= upTo);
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { callback } of due) callback();
  }
}
