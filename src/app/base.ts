import { ServiceClock } from '../clock/clock.js';
import { createIds } from '../clock/ids.js';
import { isLoopback, smtpOfTeam } from '../contract/vocabulary/domains.js';
import { formatDuration } from '../contract/vocabulary/durations.js';
import { DEFAULT_PLAN, RECIPIENTS_MAX, SCHEDULE_AHEAD_DAYS } from '../contract/vocabulary/limits.js';
import { DEFAULT_HTTP_PORT, SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import { LoginAttempts } from '../core/account/login-attempts.js';
import { outboundHosts } from '../core/account/outbound-hosts.js';
import { createSimulatedDns, type SimulatedDns } from '../core/account/simulated-dns.js';
import type { Core } from '../core/context.js';
import { Faults } from '../core/faults/faults.js';
import { BurstGate } from '../core/jobs/ingest-backpressure.js';
import { Extraction } from '../core/mail/extraction/extraction.js';
import { Inbound } from '../core/mail/inbound/inbound.js';
import type { Ids } from '../core/ports.js';
import { type Connections, type SetAside, type Shared, type Store, StoreClosedError } from '../core/store.js';
import { WarningTally } from '../core/streams/warning-tally.js';
import { createRealDns } from '../dns/real-dns.js';
import { makeDkimKey } from '../mime/dkim-verify.js';
import { createProcessing, type Processing } from '../mime/processing.js';
import { openSqliteStore } from '../storage/sqlite/store.js';
import type { AppOptions, ListenAddress } from './app.js';

/** The foundation of the app: the core with its adapters, and the state that they share. */
export interface Base {
  core: Core;
  store: OpenedStore;
  clock: ServiceClock;
  processing: Processing;
  burstGate: BurstGate;
  inbound: Inbound;
  extraction: Extraction;
  /** Null if records are looked up in a real DNS. */
  simulatedDns: SimulatedDns | null;
  addresses: Addresses;
  /** Shared by everything that checks passwords. */
  loginAttempts: LoginAttempts;
  faults: Faults;
  /** Aborted when the app closes. */
  stopping: AbortController;
  /** Aborted before, when the app is about to close and still accepts requests. */
  draining: AbortController;
  onInternalError(error: unknown, requestId?: string): void;
}

/**
 * Opens the store, and creates the adapters and the core.
 * @throws UnusableDatabaseError if the database cannot be used.
 */
export async function createBase(options: AppOptions): Promise<Base> {
  const onInternalError: Base['onInternalError'] = (error, requestId) => {
    // What a client that is gone has caused may go on while the server stops.
    if (!(error instanceof StoreClosedError)) options.onInternalError?.(error, requestId);
  };
  const ids = createIds();
  const store = await openStore(options, ids, onInternalError);
  const clock = new ServiceClock((milliseconds) => options.onNotice?.(setBackNotice(milliseconds)));
  const stopFollowing = store.shared ? await followDatabaseTime(store.shared, clock) : () => {};
  const processing = createProcessing({ clock, ...options.processing });
  const burstGate = new BurstGate(clock);
  // What is announced, over REST and SMTP together.
  const leniency = {
    strict: options.strict ?? false,
    warningTally: new WarningTally(),
    announcedDomains: new Set<string>(),
  };
  const autoRelease = options.relay?.auto ?? [];
  const inbound = new Inbound({
    store,
    clock,
    ids,
    deliveryDelayMs: options.deliveryDelayMs ?? 0,
    parser: processing.parser,
    showContent: processing.showContent,
    onNotice: options.onNotice,
    onInternalError,
    parsingLimitMs: options.parsingLimitMs,
    autoRelease,
    ...leniency,
  });
  const { findHtmlLinks, extractContent, showContent } = processing;
  const extraction = new Extraction({
    store,
    clock,
    ids,
    findHtmlLinks,
    extractContent,
    onInternalError,
  });
  const simulatedDns = options.dns ? null : createSimulatedDns(store, { publishedAtFirst: !options.strict });
  const addresses = new Addresses(options.externalUrl);
  const core: Core = {
    store,
    clock,
    ids,
    dns: simulatedDns ?? createRealDns(options.dns ?? { servers: [] }),
    makeDkimKey: options.makeDkimKey ?? makeDkimKey,
    findHtmlLinks,
    showContent,
    publicUrl: () => addresses.publicUrl,
    plan: options.plan ?? DEFAULT_PLAN,
    sendingLimits: { recipients: RECIPIENTS_MAX, scheduleDays: SCHEDULE_AHEAD_DAYS, ...options.sendingLimits },
    access: options.access ?? 'local',
    ...leniency,
    deliveryDelayMs: options.deliveryDelayMs ?? 0,
    autoRelease,
    bounceNotices: options.bounceNotices ?? false,
    outboundHosts: outboundHosts(options.allowedWebhookHosts, options.access ?? 'local'),
    parsed: (id) => inbound.parsed(id),
    parsePending: () => inbound.parsePending(),
    extractPending: (...args) => extraction.extractPending(...args),
    extractsOf: (id) => extraction.extractsOf(id),
  };
  const loginAttempts = new LoginAttempts(core);
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', stopFollowing);
  const faults = new Faults({
    ...core,
    extractContent,
    stopping: stopping.signal,
    onInternalError,
  });
  return {
    core,
    store,
    clock,
    processing,
    burstGate,
    inbound,
    extraction,
    simulatedDns,
    addresses,
    loginAttempts,
    faults,
    stopping,
    draining: new AbortController(),
    onInternalError,
  };
}

function setBackNotice(milliseconds: number): string {
  const rounded = Math.round(milliseconds / 1_000) * 1_000;
  return (
    `The clock of this machine was set back by ${formatDuration(rounded)}. The server’s time continues; ` +
    'restart the server to use the time of the machine.'
  );
}

/** A store, with a count from when it was opened. */
export interface OpenedStore extends Store {
  /** Number of rows in the table `quarantine` that no one had reviewed when the store was opened. */
  readonly unreviewedRows: number;
  /** Returns the number of writes that are not committed yet. */
  pendingWrites(): number;
  /** Returns the number of database connections by use and state; undefined for a store without connections. */
  connections?(): Connections;
  /** Reads from the store. No other work delays it. */
  ping(): Promise<void>;
}

/**
 * Opens the store of an app. PostgreSQL's adapter is loaded only for a server that uses it.
 * @throws UnusableDatabaseError if the database cannot be used.
 */
export async function openStore(
  { storage, onMigration, onNotice }: Pick<AppOptions, 'storage' | 'onMigration' | 'onNotice'>,
  ids: Ids,
  onInternalError: (error: unknown) => void,
): Promise<OpenedStore> {
  if (storage === 'memory' || 'file' in storage) {
    const onSetAside = ({ table, key, reason }: SetAside) =>
      onInternalError(`A damaged row of ${table} (${key}) was set aside: ${reason}. Run "svc doctor" for details.`);
    return openSqliteStore(storage, { onInternalError, onMigration, onSetAside });
  }
  const onSetAside = ({ table, key, reason }: SetAside) =>
    onInternalError(`A damaged row of ${table} (${key}) is left out: ${reason}.`);
  const { openPostgresStore } = await import('../storage/postgres/store.js');
  return openPostgresStore(storage.postgres, {
    process: `svc_${ids.secret(16)}`,
    onInternalError,
    onSetAside,
    ...(onNotice && { onNotice }),
  });
}

/** Milliseconds between two comparisons. */
const COMPARE_MS = 10_000;
/** A smaller difference is left to the machine. */
const DIFFERENCE_MIN_MS = 100;

/**
 * Makes the clock follow that of the database, so that leases and times are the same on all servers although the clocks
 * of their machines differ. Returns the function that ends it.
 */
async function followDatabaseTime(shared: Shared, clock: ServiceClock): Promise<() => void> {
  let cancel = () => {};
  let hasEnded = false;

  async function compare(): Promise<void> {
    const before = clock.systemNow();
    const now = await shared.now();
    const after = clock.systemNow();
    const difference = Math.round(now - (before + after) / 2);
    // The answer is from any moment in between.
    if (Math.abs(difference) > Math.max(DIFFERENCE_MIN_MS, after - before)) clock.correct(difference);
  }

  function compareLater(): void {
    if (hasEnded) return;
    cancel = clock.after(COMPARE_MS, () => {
      // While the database is unavailable, the machine's time passes at the same pace.
      void compare()
        .catch(() => {})
        .then(compareLater);
    });
  }

  await compare();
  compareLater();
  return () => {
    hasEnded = true;
    cancel();
  };
}

/** The addresses of the running server. Before it listens, and in a process that never listens, they are the defaults. */
export class Addresses {
  #baseUrl: string | undefined;
  #smtp: ListenAddress | null = null;
  #host = 'localhost';

  constructor(private readonly externalUrl: string | undefined) {}

  /** Sets the addresses that the server is bound to, and the host that HTTP listens on. */
  bind(baseUrl: string, smtp: ListenAddress, host: string): void {
    this.#host = host;
    this.#baseUrl = baseUrl;
    this.#smtp = smtp;
  }

  get baseUrl(): string {
    return this.#baseUrl ?? SERVICE_PREFIX;
  }

  /** Whether only this machine can connect. */
  get isLocal(): boolean {
    return isLoopback(this.#host);
  }

  get smtp(): ListenAddress | null {
    return this.#smtp;
  }

  /** The address of SMTP for the clients of a server for a team. */
  get smtpOfTeam(): ListenAddress | null {
    return this.#smtp && smtpOfTeam(this.#smtp, this.#host, this.externalUrl);
  }

  /** Returns the base URL of tracking links, without a slash at the end. */
  get publicUrl(): string {
    if (this.externalUrl !== undefined) return this.externalUrl;
    return this.#baseUrl?.slice(0, -SERVICE_PREFIX.length) ?? `http://127.0.0.1:${DEFAULT_HTTP_PORT}`;
  }
}
