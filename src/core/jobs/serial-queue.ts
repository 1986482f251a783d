/** Runs tasks one at a time, in order. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task when all earlier ones have ended, failed ones included. Returns its result. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }
}
