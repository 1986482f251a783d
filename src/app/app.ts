import type { FastifyInstance } from 'fastify';
import type { Fetch } from '../client/client.js';
import type { ServiceClock } from '../clock/clock.js';
import type { Plan } from '../contract/vocabulary/limits.js';
import type { MakeDkimKey } from '../core/ports.js';
import type { RealDnsOptions } from '../dns/real-dns.js';
import type { ProcessingOptions } from '../mime/processing.js';

export interface AppOptions {
  /** The database file; `memory` stores nothing on disk. */
  storage: { file: string } | 'memory';
  /** Shown by the control API; null in memory. */
  dataDir: string | null;
  /** The API key that the local server prints; it is made valid. */
  apiKey: string;
  /** Signs the requests of temporary webhooks. */
  webhookSecret: string;
  plan?: Plan;
  /** Looks up DNS records in a real DNS instead of the simulated one. */
  dns?: RealDnsOptions;
  /** Replaces the generation of DKIM keys, which takes a fifth of a second each. */
  makeDkimKey?: MakeDkimKey;
  /** Rejects unknown body fields instead of ignoring them. */
  strict?: boolean;
  /** Checks every response against the contract. */
  checkResponses?: boolean;
  /** Milliseconds from each failed webhook attempt to the next. */
  retrySchedule?: readonly number[];
  /** Milliseconds that a webhook's receiver has to respond. */
  webhookTimeoutMs?: number;
  /** Enables the control API; without it, only its `health` exists. */
  control?: boolean;
  /** Records requests to the service in the request log. */
  logRequests?: boolean;
  /** Host names to respond to, besides those of loopback. */
  allowedHosts?: readonly string[];
  /** Limits of parsing, and the file that a worker process runs. */
  processing?: Omit<ProcessingOptions, 'clock'>;
  /** Milliseconds that a read waits for messages that workers parse. */
  parsingPatienceMs?: number;
  /** Called with faults of the server: an `internal_error` with its request ID, or a message that could not be stored. */
  onInternalError?(error: unknown, requestId?: string): void;
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** The whole service, assembled. */
export interface App {
  readonly clock: ServiceClock;
  /** The HTTP application: `inject` calls it without a socket. */
  readonly http: FastifyInstance;
  /** For a client in this process: svc's own calls, which are neither logged nor rate limited. */
  readonly fetch: Fetch;
  /** Differs with every start. */
  readonly instance: string;
  /** Number of damaged rows in the table `quarantine` at the start that no one has reviewed. */
  readonly unreviewedRows: number;
  /** Listens on both ports; resolves with the addresses once both accept connections. */
  listen(addresses: { http: ListenAddress; smtp: ListenAddress }): Promise<{ baseUrl: string; smtp: ListenAddress }>;
  /** Yields the payload of every event from now on, up to the last one at the time of the signal. */
  follow(signal: AbortSignal): AsyncIterable<string>;
  /** Runs all jobs that are due, including the webhooks they cause. */
  drain(): Promise<void>;
  /** Stops accepting requests, finishes those under way, and closes the store. */
  close(): Promise<void>;
}
