export interface NewJob {
  kind: string;
  /** The name of a queue, such as a receiver's origin. A pool may limit the number of concurrent jobs per queue. */
  queue?: string;
  /** The instant when the job is due, on the service's clock. */
  runAt: number;
  payload: unknown;
}

export interface Job {
  seq: number;
  kind: string;
  /** The name of the queue; empty without one. */
  queue: string;
  runAt: number;
  payload: unknown;
}
