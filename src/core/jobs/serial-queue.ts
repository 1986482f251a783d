/** Runs one work at a time, in the order asked for. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all before it have ended, however they ended. Returns what it returns. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
