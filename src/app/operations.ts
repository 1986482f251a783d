import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CompletedAttempt } from '../core/delivery/attempt.js';
import type { ControlDeps } from '../core/handlers/control/context.js';
import type { Clock } from '../core/ports.js';
import type { Measured } from '../http/operations/metrics.js';
import type { Operations } from '../http/operations/operations.js';
import { traceFields } from '../http/request/loggable.js';
import type { AppOptions, AttemptLine } from './app.js';
import type { Base } from './base.js';

/** Kinds of jobs by the name of their queue, as metrics show it. */
const QUEUES: Measured['queues'] = {
  parsing: ['email.parse'],
  mail: ['email.send', 'email.deliver', 'email.engage', 'email.outcome'],
  webhooks: ['webhook.attempt'],
  releases: ['email.release'],
};

/** Returns the probes, metrics and log of a server for a team; undefined for a local server, which has none. */
export async function createOperations(
  { core, store: opened, draining }: Pick<Base, 'core' | 'store' | 'draining'>,
  { smtpSessions, feed }: Pick<ControlDeps, 'smtpSessions' | 'feed'>,
  options: Pick<AppOptions, 'apiKey' | 'storage' | 'onRequest' | 'onNotice' | 'onAttempt'>,
  http: () => FastifyInstance | undefined,
): Promise<Operations | undefined> {
  if (core.access === 'local') return undefined;
  const { createMetrics } = await import('../http/operations/metrics.js');
  const { MetricsKeys } = await import('../http/operations/metrics-keys.js');
  const { store, clock } = core;
  const { apiKey, storage, onRequest, onNotice, onAttempt } = options;
  if (onAttempt) feed.subscribeToOwn((completed) => onAttempt(lineOf(completed)));
  const file = storage !== 'memory' && 'file' in storage ? storage.file : undefined;
  if (file !== undefined && onNotice) {
    draining.signal.addEventListener('abort', watchDiskSpace(file, clock, onNotice), { once: true });
  }
  const metrics = createMetrics({
    ...{ store, clock, feed, queues: QUEUES },
    pendingWrites: () => opened.pendingWrites(),
    database: () => opened.connections?.(),
    disk: file === undefined ? undefined : () => readDiskSpace(file),
    connections: async () => ({ http: await openConnections(http()), smtp: smtpSessions.openCount }),
  });
  const metricsKeys = new MetricsKeys(core, apiKey);
  const ping = () => opened.ping();
  return { ping, clock, metrics, metricsKeys, onRequest, isDraining: () => draining.signal.aborted };
}

function lineOf({ attempt, delivery, event, caller, webhook }: CompletedAttempt): AttemptLine {
  return {
    ...{ email_id: event.emailId, event_id: event.id, event: event.type },
    ...{ webhook_id: webhook.id, delivery_id: delivery.id, attempt: attempt.attempt },
    ...{ status: attempt.status, ms: attempt.durationMs },
    ...traceFields(caller),
  };
}

function openConnections(http: FastifyInstance | undefined): Promise<number> {
  return new Promise((resolve) => {
    if (!http) resolve(0);
    else http.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}

/** Reports the free space of the disk with the database. A full disk fails writes only, so the server stays ready. */

interface DiskSpace {
  /** Bytes that svc can still write. */
  free: number;
  size: number;
}

/** Returns the space of the disk with a file; undefined if the system does not report it. */
type ReadDiskSpace = (file: string) => Promise<DiskSpace | undefined>;

const readDiskSpace: ReadDiskSpace = async (file) => {
  const space = await statfs(dirname(file)).catch(() => undefined);
  return space && { free: space.bavail * space.bsize, size: space.blocks * space.bsize };
};

const CHECK_MS = 60_000;
const GIB = 1024 ** 3;
/** Free bytes below which the warning is logged, and above which it can be logged again. */
const LOW = GIB;
const ENOUGH = 2 * GIB;

/** Warns when little space is left, once until there is more. Returns the function that ends this. */
export function watchDiskSpace(
  file: string,
  clock: Pick<Clock, 'after'>,
  onNotice: (text: string) => void,
  read = readDiskSpace,
): () => void {
  let cancel = () => {};
  let hasEnded = false;
  let isLow = false;

  async function check(): Promise<void> {
    const space = await read(file);
    if (hasEnded) return;
    if (space && !isLow && space.free < LOW) onNotice(warningOf(file, space));
    if (space) isLow = space.free < (isLow ? ENOUGH : LOW);
    cancel = clock.after(CHECK_MS, () => void check());
  }

  void check();
  return () => {
    hasEnded = true;
    cancel();
  };
}

function warningOf(file: string, { free, size }: DiskSpace): string {
  const mib = Math.floor(free / 1024 ** 2);
  const share = size > 0 ? ((100 * free) / size).toFixed(1) : '0';
  return (
    `The disk of ${dirname(file)} has ${mib} MiB left (${share} %). Once it is full, the server refuses email. Free ` +
    'space, or delete old emails with --keep or --max-age, then run "svc dev compact".'
  );
}
