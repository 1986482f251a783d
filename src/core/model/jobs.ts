export interface NewJob {
  kind: string;
  /** What it competes for, such as a receiver: a pool may limit how many jobs of one queue run at once. */
  queue?: string;
  /** On the service's clock. */
  runAt: number;
  payload: unknown;
}

export interface Job {
  seq: number;
  kind: string;
  /** Empty for none. */
  queue: string;
  runAt: number;
  payload: unknown;
}
