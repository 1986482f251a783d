import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { RETRY_AFTER_DEFAULT_MS } from '../../contract/vocabulary/faults/faults.js';
import {
  FAULT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  RETRY_AFTER_HEADER,
} from '../../contract/vocabulary/headers.js';
import { documentOfRequest, readSendRequest } from '../../core/faults/documents.js';
import { type Faults, faultNote } from '../../core/faults/faults.js';
import type { HttpPoint } from '../../core/faults/points.js';
import type { FaultRecord } from '../../core/model/resources.js';
import { InjectedError } from '../response/check-response.js';
import { isRateLimited } from './rate-limit.js';
import { logCall, type RequestLogOptions } from './request-log.js';

/** Injects faults into requests to the service, except svc's own. */

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault that changes the response when it is sent. */
    fault: FaultRecord | null;
  }
}

export interface FaultsOptions {
  faults: Faults;
  /** The request log; undefined if requests are not logged. */
  logged: RequestLogOptions | undefined;
}

const plugin: FastifyPluginAsync<FaultsOptions> = async (server, { faults, logged }) => {
  server.decorateRequest('fault', null);
  // After the body is parsed, because queries test it.
  server.addHook('preHandler', async (request, reply) => {
    if (!faults.any || !isRateLimited(request)) return;
    const fault = await faults.take(pointOf(request, faults));
    if (!fault) return;
    reply.header(FAULT_HEADER, fault.id);
    request.warnings = [...(request.warnings ?? []), faultNote(fault)];
    if (fault.delayMs !== null) await faults.wait(fault.delayMs);
    if (fault.code !== null || fault.error !== null) throw refusalOf(fault, reply, faults.deps.clock.now());
    request.fault = fault;
    if (fault.drop !== 'before') return;
    if (logged) logCall(request, reply, logged, NO_STATUS);
    reply.hijack();
    reset(request);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const { fault } = request;
    if (fault?.drop !== 'after' && !fault?.truncate) return payload;
    if (logged) logCall(request, reply, logged);
    if (typeof payload === 'string' && fault.truncate) return firstHalf(payload, reply);
    reset(request);
    return payload;
  });
};

export const faults = fp(plugin);

/** The status of a request without a response in the request log. */
const NO_STATUS = 0;

function pointOf(request: FastifyRequest, { deps }: Faults): HttpPoint {
  let read: ReturnType<typeof readSendRequest> | null = null;
  const sent = () => {
    // A large body is only read if a fault depends on it.
    if (read === null) read = readSendRequest(request.body);
    return read;
  };
  const [path = ''] = request.url.split('?', 1);
  return {
    workspace: request.apiKey?.workspace ?? null,
    method: request.method,
    path,
    get from() {
      return sent()?.from;
    },
    get to() {
      return sent()?.to;
    },
    document: async (withExtracts) => {
      const body = sent()?.body;
      return body && documentOfRequest(deps, body, withExtracts);
    },
  };
}

/** Returns the error of a fault. Sets the headers that the service sends with a limit that is reached. */
function refusalOf(fault: FaultRecord, reply: FastifyReply, now: number): InjectedError {
  const error = new InjectedError(fault);
  const wait = fault.retryAfterMs ?? RETRY_AFTER_DEFAULT_MS;
  if (error.status === 429 || error.status === 503) reply.header(RETRY_AFTER_HEADER, Math.ceil(wait / 1000));
  if (error.status === 429) {
    reply.headers({ [RATE_LIMIT_REMAINING_HEADER]: 0, [RATE_LIMIT_RESET_HEADER]: Math.ceil((now + wait) / 1000) });
  }
  return error;
}

/** Resets the connection, so that the client gets no response. */
function reset({ raw: { socket } }: FastifyRequest): void {
  // A connection within the process has no reset.
  if ('resetAndDestroy' in socket) socket.resetAndDestroy();
  else (socket as { destroy(): void }).destroy();
}

/** Returns the first half of a response, whose header announces all of it. Its failing end closes the connection. */
function firstHalf(payload: string, reply: FastifyReply): Readable {
  const bytes = Buffer.from(payload);
  reply.header('content-length', bytes.length);
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.floor(bytes.length / 2));
      // The half is on its way before the connection is closed.
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('The response was truncated.');
    })(),
  );
}
