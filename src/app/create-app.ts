import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Fetch } from '../client/client.js';
import { ServiceClock } from '../clock/clock.js';
import { createIds } from '../clock/ids.js';
import { keyPrefixes } from '../contract/service/api-keys.js';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { lazy } from '../contract/vocabulary/helpers/lazy.js';
import {
  DAY_MS,
  DEFAULT_PLAN,
  type Plan,
  plans,
  WEBHOOK_RETRY_MS,
  WEBHOOK_TIMEOUT_MS,
} from '../contract/vocabulary/limits.js';
import { DEFAULT_HTTP_PORT, SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import type { Core } from '../core/context.js';
import { attemptKind, type DeliveryDeps } from '../core/delivery/attempt.js';
import { Dispatcher } from '../core/delivery/dispatcher.js';
import { AttemptFeed } from '../core/delivery/ephemeral-subscriptions.js';
import { KeyedQueue } from '../core/delivery/keyed-queue.js';
import { ClockController } from '../core/jobs/clock-controller.js';
import { BurstGate } from '../core/jobs/ingest-backpressure.js';
import { Scheduler } from '../core/jobs/scheduler.js';
import { Inbound } from '../core/mail/inbound.js';
import { mailJobs } from '../core/mail/mail-jobs.js';
import type { StateArchive } from '../core/ports.js';
import { authenticate, hashKey } from '../core/resources/api-keys.js';
import { createSimulatedDns } from '../core/resources/simulated-dns.js';
import { eventsBetween, tailEvents } from '../core/streams/event-tail.js';
import { RequestLog } from '../core/streams/request-log.js';
import type { Transaction } from '../core/transaction.js';
import { createRealDns, type RealDnsOptions } from '../dns/real-dns.js';
import { createInProcessFetch } from '../http/in-process.js';
import { createHttpServer } from '../http/server.js';
import { makeDkimKey } from '../mime/dkim-key.js';
import { createProcessing, type ProcessingOptions } from '../mime/processing.js';
import { createSmtpServer, type SmtpService } from '../smtp/server.js';
import { openSqliteStore } from '../storage/sqlite/store.js';
import { version } from '../version.js';

export interface AppOptions {
  /** The database file; `memory` keeps nothing. */
  storage: { file: string } | 'memory';
  /** Shown by the control API; null in memory. */
  dataDir: string | null;
  /** The key that the local server prints; it is made valid. */
  apiKey: string;
  /** Signs what `webhooks listen` forwards. */
  webhookSecret: string;
  plan?: Plan;
  /** Looks domains' records up in a real DNS instead of the simulated one. */
  dns?: RealDnsOptions;
  /** Refuses unknown body fields instead of ignoring them. */
  strict?: boolean;
  /** Holds every response against the contract. */
  checkResponses?: boolean;
  /** Milliseconds from each failed webhook attempt to the next. */
  retrySchedule?: readonly number[];
  /** Milliseconds that a webhook's receiver has to respond. */
  webhookTimeoutMs?: number;
  /** Serves the control API; without it, its `health` alone is there. */
  control?: boolean;
  /** Keeps a log of the requests to the service. */
  logRequests?: boolean;
  /** Host names to answer to, beside those of loopback. */
  allowedHosts?: readonly string[];
  /** Limits of parsing, and the file that a worker process runs. */
  processing?: Omit<ProcessingOptions, 'clock'>;
  /** Milliseconds that a read waits for messages that workers parse. */
  parsingPatienceMs?: number;
  /** Told of faults of ours: an `internal_error` with its request id, or a message that could not be stored. */
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
  /** For a client in this process: calls that are svc's own, neither logged nor limited. */
  readonly fetch: Fetch;
  readonly instance: string;
  /** How many damaged rows were in the table `quarantine` at the start that no one has reviewed. */
  readonly unreviewedRows: number;
  /** Listens on both ports; resolves with the addresses once both accept connections. */
  listen(addresses: { http: ListenAddress; smtp: ListenAddress }): Promise<{ baseUrl: string; smtp: ListenAddress }>;
  /** The payload of every event from now on, up to the last one that was there at the signal. */
  follow(signal: AbortSignal): AsyncIterable<string>;
  /** Runs everything that is due, the webhooks it causes included. */
  drain(): Promise<void>;
  /** Stops taking requests, finishes those under way, and closes the store. */
  close(): Promise<void>;
}

/** How many mails one commit may move along, and how many webhook requests may be under way. */
const MAIL_POOL_SIZE = 256;
const WEBHOOK_POOL_SIZE = 64;
const ATTEMPTS_PER_RECEIVER = 8;

/** How long a stop waits for callers that have sent half a request, and for receivers that keep their answer. */
const CLOSE_GRACE_MS = 300;

/**
 * Assembles the service. The one place that constructs adapters and joins them.
 * @throws UnusableDatabaseError when the database cannot be used.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const onInternalError = options.onInternalError ?? (() => {});
  const store = openSqliteStore(options.storage, {
    onInternalError,
    onSetAside: ({ table, key, reason }) =>
      onInternalError(`A damaged row of ${table} (${key}) was set aside: ${reason}. Run "svc doctor" for details.`),
  });
  const clock = new ServiceClock();
  const ids = createIds();
  const burstGate = new BurstGate(clock);
  const processing = createProcessing({ clock, ...options.processing });
  const inbound = new Inbound({
    store,
    clock,
    ids,
    parser: processing.parser,
    onInternalError,
    patienceMs: options.parsingPatienceMs,
  });
  let addresses: { baseUrl: string; smtp: ListenAddress } | undefined;
  const simulatedDns = options.dns ? null : createSimulatedDns(store);
  const core: Core = {
    store,
    clock,
    ids,
    dns: simulatedDns ?? createRealDns(options.dns ?? { servers: [] }),
    makeDkimKey,
    findHtmlLinks: processing.findHtmlLinks,
    findTextLinks: processing.findTextLinks,
    publicUrl: () => addresses?.baseUrl.slice(0, -SERVICE_PREFIX.length) ?? `http://127.0.0.1:${DEFAULT_HTTP_PORT}`,
    plan: options.plan ?? DEFAULT_PLAN,
    parsePending: () => inbound.parsePending(),
  };
  const archive: StateArchive = {
    async *pack(manifest, snapshot) {
      yield* (await import('../archive/state-archive.js')).packState(manifest, snapshot);
    },
    unpack: async (bytes, maxBytes) => (await import('../archive/state-archive.js')).unpackState(bytes, maxBytes),
  };
  const feed = new AttemptFeed();
  // Loaded with the first webhook: most commands that run in-process post none.
  const loadedPost = lazy(async () => (await import('../http/outbound/post.js')).createPost());
  const closePosting = async () => (await loadedPost.loaded()?.catch(() => undefined))?.close();
  const stopping = new AbortController();
  const deliveryDeps: DeliveryDeps = {
    store,
    clock,
    post: (request) =>
      loadedPost().then(
        ({ post }) => post(request),
        // A failed attempt like any other: it is recorded, and made again after the usual interval.
        (error: Error) => ({ status: null, headers: {}, body: '', error: `svc could not connect: ${error.message}` }),
      ),
    isStopping: () => stopping.signal.aborted,
    keyedQueue: new KeyedQueue(clock),
    userAgent: `svc/${version}`,
    retrySchedule: options.retrySchedule ?? WEBHOOK_RETRY_MS,
    timeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    onAttempt: (attempted) => feed.publish(attempted),
  };
  const dispatcher = new Dispatcher({ store, clock, ids, onInternalError });
  const scheduler = new Scheduler(
    { store, clock, onInternalError, isStopping: () => stopping.signal.aborted },
    {
      pools: [
        { size: MAIL_POOL_SIZE, gate: burstGate, kinds: mailJobs(core, inbound) },
        {
          size: WEBHOOK_POOL_SIZE,
          perQueue: ATTEMPTS_PER_RECEIVER,
          kinds: { 'webhook.attempt': attemptKind(deliveryDeps) },
        },
      ],
      sweeps: [dispatcher],
    },
  );
  const clockController = new ClockController({ store, clock, scheduler });
  await clockController.restore();

  const ensureServerKey = serverKeyEnsurer(core, options.apiKey);
  await store.write(ensureServerKey);

  const instance = randomUUID();
  let lastEventBeforeStart = await store.read.events.lastSeq();
  store.onCommit(({ replaced }) => {
    if (replaced) lastEventBeforeStart = replaced.lastEvent;
  });
  const requestLog = new RequestLog({ store, clock, onInternalError });
  const http = createHttpServer({
    core,
    controls: {
      instance,
      lastEventBeforeStart: () => lastEventBeforeStart,
      catchUp: () => dispatcher.catchUp(),
      controlEnabled: options.control ?? true,
      requestLog,
      archive,
      ensureServerKey,
      feed,
      retrySchedule: deliveryDeps.retrySchedule,
      runDue: () => scheduler.drain(),
      clockController,
      simulatedDns,
      compose: async (composition) => (await import('../mime/compose.js')).composeMessage(composition),
      describe: () => ({
        version,
        pid: process.pid,
        base_url: addresses?.baseUrl ?? SERVICE_PREFIX,
        smtp: addresses?.smtp ?? null,
        data_dir: options.dataDir,
        plan: core.plan,
        webhook_secret: options.webhookSecret,
      }),
    },
    allowedHosts: new Set(options.allowedHosts?.map((host) => host.toLowerCase())),
    logRequests: options.logRequests ?? true,
    strict: options.strict ?? false,
    checkResponses: options.checkResponses ?? false,
    onInternalError,
    stopping: stopping.signal,
  });
  await http.ready();
  let smtp: SmtpService | undefined;

  return {
    clock,
    http,
    fetch: createInProcessFetch(http),
    instance,
    unreviewedRows: store.unreviewedRows,
    async listen(wanted) {
      // What a process that died left behind: subscriptions whose reader is gone.
      await store.write((tx) => tx.webhooks.expireEphemeral(clock.now() - DAY_MS));
      scheduler.start();
      const baseUrl = (await http.listen(wanted.http)) + SERVICE_PREFIX;
      smtp = createSmtpServer({
        accept: (message) => burstGate.track(inbound.accept(message)),
        isKey: (value) =>
          authenticate(`Bearer ${value}`, core).then(
            () => true,
            () => false,
          ),
        onConnection: () => processing.warm(),
        after: (milliseconds, callback) => clock.after(milliseconds, callback),
        onInternalError,
      });
      // Parses now what a process that died had accepted, even if another process holds its job.
      void inbound.parsePending();
      addresses = { baseUrl, smtp: await smtp.listen(wanted.smtp.host, wanted.smtp.port) };
      return addresses;
    },
    async *follow(signal) {
      let seq = await store.read.events.lastSeq();
      // Nobody waits at the other end of a connection, so no sign of life is needed.
      for await (const event of tailEvents(store, seq, { signal, idle: () => () => {} })) {
        if (!event) continue;
        seq = event.seq;
        yield event.payload;
      }
      // A reader may be slower than the events come.
      for await (const event of eventsBetween(store, seq, await store.read.events.lastSeq())) yield event.payload;
    },
    drain: () => scheduler.drain(),
    async close() {
      stopping.abort();
      inbound.stop();
      // Before the scheduler stops, because a task may take seconds. A job that needs a worker runs at the next start.
      const workersEnded = processing.close();
      const cancel = clock.after(CLOSE_GRACE_MS, () => {
        http.server.closeAllConnections();
        void closePosting();
      });
      await Promise.all([http.close(), smtp?.close()]);
      await requestLog.flush();
      await scheduler.stop();
      cancel();
      await workersEnded;
      await closePosting();
      await store.close();
    },
  };
}

/** Makes the local server's own key valid. Nobody created it by the API, so there is no event of it. */
function serverKeyEnsurer({ clock, ids }: Core, value: string): (tx: Transaction) => Promise<void> {
  if (!API_KEY_FORM.test(value)) throw new TypeError('the API key must start with svc_test_ or svc_live_');
  const hash = hashKey(value);
  return async (tx) => {
    if (await tx.apiKeys.findByHash(hash)) return;
    const createdAt = clock.now();
    await tx.apiKeys.insert({
      id: ids.next('key', createdAt),
      name: 'Local server',
      environment: value.startsWith(keyPrefixes.live) ? 'live' : 'test',
      // The largest plan's: a key outlives the plan that a server is started with, and the smaller limit holds.
      rateLimit: plans.enterprise.requestsPerMinute,
      hash,
      createdAt,
    });
  };
}
