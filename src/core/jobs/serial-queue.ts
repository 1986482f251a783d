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
