import type { FastifyInstance } from 'fastify';
import type { Fetch } from '../client/wire-request.js';
import type { ServiceClock } from '../clock/clock.js';
import type { Access, SignInHeader } from '../contract/vocabulary/access.js';
import type { Plan } from '../contract/vocabulary/limits.js';
import type { Retention } from '../contract/vocabulary/retention.js';
import type { SendingLimits } from '../core/context.js';
import type { ReceiverStatuses } from '../core/delivery/attempt.js';
import type { Relay } from '../core/mail/release/releases.js';
import type { MakeDkimKey } from '../core/ports.js';
import type { IndexedSoFar } from '../core/search/search-indexing.js';
import type { MigrationStep } from '../core/store.js';
import type { RecordedSession } from '../core/streams/logs.js';
import type { TalliedWarning } from '../core/streams/warning-tally.js';
import type { RealDnsOptions } from '../dns/real-dns.js';
import type { RequestLine } from '../http/operations/operations.js';
import type { TraceFields } from '../http/request/loggable.js';
import type { MailpitAccess } from '../http/server.js';
import type { ProcessingOptions } from '../mime/processing.js';
import type { SmtpAccess, TlsFiles } from '../smtp/access.js';

export type { SmtpAccess };

/** Sign-in by a trusted proxy. */
export interface SignIn {
  /** The header that names the person. */
  header: SignInHeader;
  /** The people who have the rights of an admin key. Others have those of an ordinary key. */
  admins: readonly string[];
}

/** A webhook attempt in the log. Its IDs are those of the API, and of the request that sent the email. */
export interface AttemptLine extends TraceFields {
  email_id: string | null;
  event_id: string;
  event: string;
  webhook_id: string;
  delivery_id: string;
  attempt: number;
  /** Null without a response. */
  status: number | null;
  ms: number;
}

type Storage = { file: string } | { postgres: string } | 'memory';

export interface AppOptions {
  /**
   * The path of the database file, or the URL of a PostgreSQL database that other servers may use too; `memory` stores
   * nothing on disk.
   */
  storage: Storage;
  /** The data directory, as the control API reports it; null for a server in memory. */
  dataDir: string | null;
  /** What the inbox adds to commands that it shows, such as ` --data-dir ./k` (default: nothing). */
  commandFlags?: string;
  /** The API key that the local server prints. The server makes it valid. */
  apiKey: string;
  /**
   * Who uses the server (default: `local`). With `team`, `apiKey` is an admin key, other keys may do only what
   * their kind allows, and every client of HTTP, SMTP and the inbox has to log in.
   */
  access?: Access;
  /** Opens the web inbox for browsers on other machines. Without one, they need an API key. */
  inboxPassword?: string;
  /** The directory of the built inbox page (default: that of the installation). */
  webDirectory?: string;
  /** The secret that signs the requests of temporary webhooks. */
  webhookSecret: string;
  plan?: Plan;
  /** Domains to add, publish in the simulated DNS and verify. */
  domains?: readonly string[];
  /** Milliseconds from sending to the first step of an outcome (default: 0, within the send). */
  deliveryDelayMs?: number;
  /** Reports simulated bounces of messages received over SMTP to their senders, in messages of their own. */
  bounceNotices?: boolean;
  /** The emails to keep (default: all). Older ones are deleted in the background. */
  retention?: Retention;
  /** Serves the API of Mailpit too, and who needs no key for it (default: not served). */
  mailpit?: MailpitAccess | undefined;
  /** The SMTP server that emails are released to (default: none). */
  relay?: Relay;
  /** Looks up DNS records in a real DNS instead of the simulated one. */
  dns?: RealDnsOptions;
  /** Replaces the generation of DKIM keys, which takes a fifth of a second each. */
  makeDkimKey?: MakeDkimKey;
  /** Refuses requests that the service may refuse, instead of announcing them. Gap 40. */
  strict?: boolean;
  /** Checks every response against the contract. */
  checkResponses?: boolean;
  /** Milliseconds from each failed webhook attempt to the next. */
  retrySchedule?: readonly number[];
  /** Which responses of webhook receivers are successes, and which end the retries (default: 2xx, and none). */
  receiverStatuses?: ReceiverStatuses;
  /** Limits of sending over REST that services set differently. */
  sendingLimits?: Partial<SendingLimits>;
  /** Milliseconds that a webhook's receiver has to respond. */
  webhookTimeoutMs?: number;
  /** Enables the control API; without it, only its `health` exists. */
  control?: boolean;
  /** Records requests to the service in the request log. */
  logRequests?: boolean;
  /** Host names to respond to, besides those of loopback. */
  allowedHosts?: readonly string[];
  /** Hosts that webhooks may use plain http and private addresses for, in the form of URLs. */
  allowedWebhookHosts?: readonly string[];
  /** Public URL of the server, with the base path and without a slash at the end; for links in emails. */
  externalUrl?: string;
  /** The path below which a proxy serves the server, such as `/mail` (default: none). It is served without it too. */
  basePath?: string;
  /**
   * Addresses and networks (CIDR) of proxies in front of the server. Only their X-Forwarded-For names the client, for
   * limits by address and the log (default: none).
   */
  trustedProxies?: readonly string[];
  /** How these proxies sign people in to the inbox of a server for a team (default: they do not). */
  signIn?: SignIn | undefined;
  /** Concurrent connections (default: as many as a limit of 4,096 open files allows). */
  connections?: { http: number; smtp: number } | undefined;
  /** How clients connect and log in over SMTP (default: without TLS, and with any name and password or none). */
  smtpAccess?: SmtpAccess;
  /** Serves HTTP with TLS, with this certificate (default: without). */
  httpTls?: TlsFiles | undefined;
  /** Limits of message processing, and the file that worker processes run. */
  processing?: Omit<ProcessingOptions, 'clock'>;
  /** Milliseconds within which a small message is parsed before it is acknowledged (default: 1,000). */
  parsingLimitMs?: number;
  /** Called after each response of a server for a team. */
  onRequest?(line: RequestLine): void;
  /** Called after each webhook attempt of this process of a server for a team. */
  onAttempt?(line: AttemptLine): void;
  /** Called at the end of each SMTP session. */
  onSmtpSession?(session: RecordedSession): void;
  /** Called before each migration of stored emails. It blocks the process, for minutes if there are many. */
  onMigration?(step: MigrationStep): void;
  /**
   * Called with a line about a client that SMTP refused, a message that exceeded a limit of parsing, a lock that a commit
   * waits for, or a lost connection to the database.
   */
  onNotice?(text: string): void;
  /**
   * Called with every fault of the server: an `internal_error` with its request ID, or a message that could not be
   * stored.
   */
  onInternalError?(error: unknown, requestId?: string): void;
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** The addresses to listen on. */
export interface Listeners {
  http: ListenAddress;
  smtp: ListenAddress;
  /** SMTP with TLS from the first byte. */
  smtps?: ListenAddress;
  lmtp?: ListenAddress;
  /** The path of a Unix socket for LMTP. */
  lmtpSocket?: string;
}

/** The addresses that the server listens on. */
export interface Listening {
  baseUrl: string;
  smtp: ListenAddress;
  smtps?: ListenAddress;
  lmtp?: ListenAddress;
}

/** Milliseconds that a server gives its clients when it closes. */
export interface CloseGrace {
  /** Until new connections are refused. Load balancers need it to notice (default: 0). */
  acceptMs?: number;
  /** From then until requests that are running are broken off (default: 300). */
  finishMs?: number;
}

/** The assembled service. */
export interface App {
  readonly clock: ServiceClock;
  /** The HTTP server. Its `inject` handles requests without a socket. */
  readonly http: FastifyInstance;
  /** A `fetch` for clients in this process. svc uses it for its own calls, which are not logged and have no rate limit. */
  readonly fetch: Fetch;
  /** The ID of this start of the server. */
  readonly instance: string;
  /**
   * Returns the address of the web inbox on the server's own address, with a one-time code if a browser on this machine
   * needs it.
   */
  inboxLink(): Promise<string>;
  /** Number of damaged rows in the table `quarantine` at the start that have not been reviewed. */
  readonly unreviewedRows: number;
  /** Listens on all ports; resolves with the addresses once they accept connections. */
  listen(addresses: Listeners): Promise<Listening>;
  /** Calls back with every distinct warning about a request or message when it first occurs. */
  onWarning(listener: (warning: TalliedWarning) => void): void;
  /** Reports the progress while many emails are indexed for searches: after an upgrade, an import or damage. */
  onIndexing(listener: (progress: IndexedSoFar) => void): void;
  /** Yields the payload of every event from now on. Ends when the signal aborts, after the last event at that time. */
  follow(signal: AbortSignal): AsyncIterable<string>;
  /** Uses another certificate for new connections of HTTP and SMTP, where they have TLS. */
  replaceCertificate(files: TlsFiles): void;
  /** Runs all due jobs, including the webhook deliveries that they cause. */
  drain(): Promise<void>;
  /**
   * Stops accepting requests, waits for those that are running, and closes the store. With a grace, in milliseconds of
   * system time, a server for a team first reports that it is not ready, and still accepts connections.
   */
  close(grace?: CloseGrace): Promise<void>;
}
