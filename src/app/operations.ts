import type { FastifyInstance } from 'fastify';
import type { ControlDeps } from '../core/control/context.js';
import type { CompletedAttempt } from '../core/delivery/attempt.js';
import type { Measured } from '../http/operations/metrics.js';
import type { Operations } from '../http/operations/operations.js';
import type { AppOptions, AttemptLine } from './app.js';
import type { Base } from './base.js';
import { readDiskSpace, watchDiskSpace } from './disk-space.js';

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

function lineOf({ attempt, delivery, event, webhook }: CompletedAttempt): AttemptLine {
  return {
    ...{ email_id: event.emailId, event_id: event.id, event: event.type },
    ...{ webhook_id: webhook.id, delivery_id: delivery.id, attempt: attempt.attempt },
    ...{ status: attempt.status, ms: attempt.durationMs },
  };
}

function openConnections(http: FastifyInstance | undefined): Promise<number> {
  return new Promise((resolve) => {
    if (!http) resolve(0);
    else http.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
