import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AttemptFeed } from '../../core/delivery/ephemeral-subscriptions.js';
import type { KindName } from '../../core/model/jobs.js';
import type { Clock } from '../../core/ports.js';
import type { Connections, Store } from '../../core/store.js';

/** Measures a server for a team, in the text format of Prometheus. Loaded only by such a server. */

/** The outcome of a message: stored, refused because of its content, or lost to a fault of the server. */
type MessageOutcome = 'accepted' | 'refused' | 'failed';

export interface Metrics {
  readonly contentType: string;
  /** Counts a message that arrived, and how many seconds it took to store it. */
  message(source: 'rest' | 'smtp', outcome: MessageOutcome, seconds: number): void;
  /** Returns the metrics, without those of the database if it does not answer until `late` resolves. */
  text(late: Promise<undefined>): Promise<string>;
  close(): void;
}

export interface Measured {
  store: Pick<Store, 'read'>;
  clock: Pick<Clock, 'now'>;
  feed: Pick<AttemptFeed, 'subscribeToOwn'>;
  /** Kinds of jobs by the name of their queue. */
  queues: Readonly<Record<string, readonly KindName[]>>;
  /** Returns the number of writes that are not committed yet. */
  pendingWrites(): number;
  /** Returns the number of database connections; undefined for a database without connections. */
  database(): Connections | undefined;
  /** Returns the space of the disk with the database in bytes; undefined for a database on another machine. */
  disk: (() => Promise<{ free: number; size: number } | undefined>) | undefined;
  /** Returns the number of open connections by protocol. */
  connections(): Promise<Record<'http' | 'smtp', number>>;
}

const INGEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const WEBHOOK_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(measured: Measured): Metrics {
  const register = new Registry();
  const registers = [register];
  // Memory, CPU time, garbage collection, open files, and the delay of the event loop.
  collectDefaultMetrics({ register });
  const messages = new Counter({
    ...{ name: 'svc_messages_total', help: 'Messages that arrived.', registers },
    labelNames: ['source', 'outcome'],
  });
  const ingest = new Histogram({
    ...{ name: 'svc_ingest_seconds', help: 'Time until a message was stored or refused.', registers },
    ...{ labelNames: ['source'], buckets: INGEST_SECONDS },
  });
  const unsubscribe = measureWebhooks(measured, registers);
  gauges(measured, registers);
  const stored = new Registry();
  storedGauges(measured, [stored]);
  const isUp = new Gauge({
    ...{ name: 'svc_database_up', help: 'Whether the database answers: 1 or 0.', registers },
  });
  return {
    contentType: register.contentType,
    message(source, outcome, seconds) {
      messages.inc({ source, outcome });
      ingest.observe({ source }, seconds);
    },
    async text(late) {
      const fromDatabase = await Promise.race([stored.metrics().catch(() => undefined), late]);
      isUp.set(fromDatabase === undefined ? 0 : 1);
      return (await register.metrics()) + (fromDatabase ?? '');
    },
    close() {
      unsubscribe();
      register.clear();
      stored.clear();
    },
  };
}

function measureWebhooks({ feed }: Measured, registers: Registry[]): () => void {
  const attempts = new Counter({
    ...{ name: 'svc_webhook_attempts_total', help: 'Attempts to post an event.', registers },
    labelNames: ['outcome'],
  });
  const duration = new Histogram({
    ...{ name: 'svc_webhook_attempt_seconds', help: 'Time of an attempt.', registers, buckets: WEBHOOK_SECONDS },
  });
  return feed.subscribeToOwn(({ attempt: { status, durationMs } }) => {
    const outcome = status === null ? 'no_response' : status >= 200 && status < 300 ? 'delivered' : 'refused';
    attempts.inc({ outcome });
    duration.observe(durationMs / 1_000);
  });
}

/** Registers what is read from the process when the metrics are. */
function gauges({ connections, database, disk, pendingWrites }: Measured, registers: Registry[]): void {
  if (database()) measureDatabase(database, registers);
  if (disk) measureDisk(disk, registers);
  new Gauge({
    ...{ name: 'svc_pending_writes', help: 'Writes that wait for their commit.', registers },
    collect() {
      this.set(pendingWrites());
    },
  });
  new Gauge({
    ...{ name: 'svc_connections', help: 'Open connections.', registers, labelNames: ['protocol'] },
    async collect() {
      for (const [protocol, open] of Object.entries(await connections())) this.set({ protocol }, open);
    },
  });
}

/** Registers what is read from the database. */
function storedGauges({ store, clock, queues }: Measured, registers: Registry[]): void {
  new Gauge({
    ...{ name: 'svc_jobs_queued', help: 'Jobs that are due or running.', registers, labelNames: ['queue'] },
    async collect() {
      for (const [queue, kinds] of Object.entries(queues)) {
        this.set({ queue }, await store.read.jobs.countDue(kinds, clock.now()));
      }
    },
  });
  new Gauge({
    ...{ name: 'svc_queue_oldest_seconds', help: 'Time since the oldest job was due.', registers },
    labelNames: ['queue'],
    async collect() {
      for (const [queue, kinds] of Object.entries(queues)) {
        const first = await store.read.jobs.first(kinds);
        this.set({ queue }, first ? Math.max(0, clock.now() - first.runAt) / 1_000 : 0);
      }
    },
  });
  new Gauge({
    ...{ name: 'svc_unparsed_messages', help: 'Received messages up to the newest that is not parsed.', registers },
    async collect() {
      const range = await store.read.received.unparsedRange();
      this.set(range ? range.last - range.first + 1 : 0);
    },
  });
}

function measureDisk(disk: NonNullable<Measured['disk']>, registers: Registry[]): void {
  for (const [part, help] of [
    ['free', 'Bytes that can be written to the disk of the database.'],
    ['size', 'Size of the disk of the database.'],
  ] as const) {
    new Gauge({
      ...{ name: `svc_disk_${part}_bytes`, help, registers },
      async collect() {
        const space = await disk();
        if (space) this.set(space[part]);
      },
    });
  }
}

function measureDatabase(database: Measured['database'], registers: Registry[]): void {
  new Gauge({
    ...{ name: 'svc_database_connections', help: 'Connections for reads, and reads that wait for one.', registers },
    labelNames: ['use', 'state'],
    collect() {
      for (const [use, states] of Object.entries(database() ?? {})) {
        for (const [state, count] of Object.entries(states)) this.set({ use, state }, count);
      }
    },
  });
}
