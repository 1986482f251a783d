/** Defines what the suite runs against: anything that answers HTTP requests. */

export interface Exchange {
  method: string;
  /** The path below the base address: `/emails?limit=1`. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface Reply {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Target {
  baseUrl: string;
  /** A test key. */
  key: string;
  /** A live key; checks that need one are skipped without it. */
  liveKey?: string;
  exchange(request: Exchange): Promise<Reply>;
  /** Runs due jobs, on a target that does not run them by itself. */
  settle?(): Promise<void>;
  /** Whether it posts webhooks to this machine, plain http included. */
  reachesLoopback: boolean;
  /** Whether it is svc's local server, and simulates the outcome that an address at simulator.test requests. */
  simulates: boolean;
  /** Whether the suite is the only user of the account. */
  exclusive: boolean;
}
