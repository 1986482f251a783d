/** What the suite is run against: anything that answers HTTP requests. */

export interface Exchange {
  method: string;
  /** Below the base address: `/emails?limit=1`. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
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
  /** Runs what is due, where nothing runs it by itself. */
  settle?(): Promise<void>;
  /** Whether it posts webhooks to this machine, plain http included. */
  reachesLoopback: boolean;
  /** Whether it is svc's local server, and plays out what an address at simulator.test asks for. */
  simulates: boolean;
  /** Whether nobody else uses the account meanwhile. */
  exclusive: boolean;
}
