import type { Fetch } from '../../client/wire-request.js';

/** The address of a server, and its credentials. */
export interface ServerAddress {
  /** Ends with `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Null for a server without SMTP. */
  smtp: { host: string; port: number } | null;
  /** Signs the requests of temporary webhooks, as `svc webhooks listen` creates them. */
  webhookSecret: string;
}

/** What a call reports after the server was closed. */
export const CLOSED = 'the test closed this server';

/** How the kit reaches a server. */
export interface Connection {
  readonly fetch: Fetch;
  /** Resolves after this time on the machine's clock; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Ends the connection, and the server that was started for it. */
  close(): Promise<void>;
}
