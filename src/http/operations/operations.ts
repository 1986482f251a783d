import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { WITHOUT_WORKSPACE } from '../../contract/vocabulary/access.js';
import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { refuseKind } from '../../core/account/key-kinds.js';
import type { Clock } from '../../core/ports.js';
import { callerOf, routePattern, type TraceFields, traceFields } from '../request/loggable.js';
import { PRIVATE_HEADERS } from '../response/headers.js';
import { pathOf } from '../response/unknown-path.js';
import type { Metrics } from './metrics.js';
import type { MetricsKeys } from './metrics-keys.js';

/** Milliseconds that the database has to answer a probe or a request for metrics. */
const STORE_MS = 2_000;

/** Resolves with undefined when the database has had its time. Call `cancel` when the answer is no longer needed. */
function storeTimeLimit(clock: Pick<Clock, 'after'>): { late: Promise<undefined>; cancel(): void } {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(STORE_MS, () => resolve(undefined));
  });
  return { late, cancel };
}

/** Serves the probes and the metrics of a server for a team, and logs its requests. */

/** A request in the log: without its query, its body, its key, and the addresses and tokens of its path. */
export interface RequestLine extends TraceFields {
  request_id: string;
  method: string;
  /** The pattern of the route. Without a route, the first segment of the path. */
  path: string;
  status: number;
  ms: number;
  /** The ID of the API key; null without a valid one. */
  key_id: string | null;
  workspace: string | null;
  client: string;
  /** The email that was sent, or that the path names. */
  email_id: string | null;
  error: string | null;
}

export interface Operations extends Probed {
  metrics: Metrics;
  metricsKeys: MetricsKeys;
  /** Called after each response. */
  onRequest?: ((line: RequestLine) => void) | undefined;
}

const plugin: FastifyPluginAsync<Operations> = async (server, operations) => {
  const { metrics, metricsKeys, clock, onRequest, isDraining } = operations;
  // A client that keeps its connection would send the next request when it is being closed.
  server.addHook('onSend', async (_, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
  server.addHook('onResponse', async (request, reply) => {
    countMessage(metrics, request, reply);
    onRequest?.(lineOf(request, reply));
  });
  server.register(probes, operations);
  // Public, because it authenticates by itself: it answers also without the database.
  server.get('/metrics', { config: { public: true, unlogged: true } }, async (request, reply) => {
    const { late, cancel } = storeTimeLimit(clock);
    try {
      request.apiKey = await metricsKeys.find(request.headers.authorization, late);
      refuseKind({ summary: 'Read metrics', keyKinds: WITHOUT_WORKSPACE }, request.apiKey, 'team');
      const text = await metrics.text(late);
      return reply.headers(PRIVATE_HEADERS).type(metrics.contentType).send(text);
    } finally {
      cancel();
    }
  });
};

export const operations = fp(plugin);

function countMessage(metrics: Metrics, { routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const { operation } = routeOptions.config;
  if (operation?.name !== 'emails.send') return;
  const { statusCode, elapsedTime } = reply;
  const outcome = statusCode < 400 ? 'accepted' : statusCode < 500 ? 'refused' : 'failed';
  metrics.message('rest', outcome, elapsedTime / 1_000);
}

function lineOf(request: FastifyRequest, reply: FastifyReply): RequestLine {
  return {
    request_id: request.id,
    method: request.method,
    path: routePattern(request) ?? firstSegment(pathOf(request)),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    key_id: request.apiKey?.id ?? null,
    workspace: request.apiKey?.workspace ?? null,
    client: request.ip,
    ...traceFields(callerOf(request)),
    email_id: emailOf(request),
    error: request.refusal?.code ?? null,
  };
}

const EMAIL_ID = /^msg_\w{1,64}$/;

function emailOf({ sentEmail, params }: FastifyRequest): string | null {
  const { id = '' } = (params ?? {}) as { id?: string };
  return sentEmail ?? (EMAIL_ID.test(id) ? id : null);
}

/** A segment that is neither an address nor a key. */
const HARMLESS = /^[\w.-]{0,32}$/;

function firstSegment(path: string): string {
  const [, first = '', ...more] = path.split('/');
  return `/${HARMLESS.test(first) && maskSecrets(first) === first ? first : '…'}${more.length > 0 ? '/…' : ''}`;
}

/** Serves the probes of load balancers and supervisors, without a key and without details of the server. */

interface Probed {
  /** Reads from the store. No other work delays it. */
  ping(): Promise<void>;
  clock: Pick<Clock, 'after'>;
  /** Returns whether the server is about to stop. */
  isDraining(): boolean;
}

async function probes(server: FastifyInstance, probed: Probed): Promise<void> {
  const route = { config: { public: true, unlogged: true } };
  server.get('/healthz', route, async (_, reply) => reply.headers(PRIVATE_HEADERS).type('text/plain').send('ok\n'));
  server.get('/readyz', route, async (_, reply) => {
    const reason = await whyNotReady(probed);
    const text = reason ?? 'ready';
    return reply
      .code(reason ? 503 : 200)
      .headers(PRIVATE_HEADERS)
      .type('text/plain')
      .send(`${text}\n`);
  });
}

/** Returns the reason why the server takes no requests; undefined if it does. */
async function whyNotReady({ ping, clock, isDraining }: Probed): Promise<string | undefined> {
  if (isDraining()) return 'the server is about to stop';
  const { late, cancel } = storeTimeLimit(clock);
  const tooLate = late.then(() => `the database did not answer within ${STORE_MS / 1_000} s`);
  // The reason may name hosts and users, so it is only in the log.
  const answered = ping().then(
    () => undefined,
    () => 'the database cannot be read',
  );
  return Promise.race([answered, tooLate]).finally(cancel);
}
