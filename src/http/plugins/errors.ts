import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RATE_LIMIT_HEADER, REQUEST_ID_HEADER, RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { QuotaExceededError } from '../../core/account/quota.js';
import type { Core } from '../../core/context.js';
import { DatabaseUnavailableError } from '../../core/store.js';
import type { CallCounter } from '../request/call-counter.js';
import { InjectedError, undeclaredFailure } from '../response/check-response.js';
import { asServiceError, isAborted, isFault, isTooLarge, sendError } from '../response/envelope.js';
import { rateLimitHeaders, SAFE_HEADERS } from '../response/headers.js';
import { unknownPath } from '../response/unknown-path.js';
import { isRateLimited } from './rate-limit.js';

/** Converts errors of hooks and handlers to error responses. Specification: Errors. */

export interface ErrorsOptions {
  core: Core;
  counter: CallCounter;
  /** Reports failures that the contract does not declare as `internal_error`. */
  checkResponses: boolean;
  /** Called with every fault of the server. */
  onInternalError(error: unknown, requestId: string): void;
  stopping: AbortSignal;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of the response, for the request log. */
    refusal: ServiceError | null;
  }
}

const plugin: FastifyPluginAsync<ErrorsOptions> = async (server, options) => {
  server.decorateRequest('refusal', null);
  server.setErrorHandler((error, request, reply) => respond(error, request, reply, options));
  server.setNotFoundHandler(async (request) => {
    throw unknownPath(request);
  });
};

export const errors = fp(plugin);

const CLOSED_EARLY = 'The client closed the connection before the request was complete.';

function respond(error: unknown, request: FastifyRequest, reply: FastifyReply, options: ErrorsOptions): FastifyReply {
  const { core, counter, onInternalError, stopping } = options;
  const refusal = asServiceError(error, request);
  const undeclared =
    options.checkResponses && !mayFailAnywhere(refusal, error) ? undeclaredFailure(refusal, request, error) : undefined;
  const answer = undeclared ? new ServiceError('internal', 'The server failed.') : refusal;
  request.refusal = answer;
  if (isTooLarge(error)) drainBody(request, reply);
  if (isFault(answer, stopping)) onInternalError(undeclared ?? (isAborted(error) ? CLOSED_EARLY : error), request.id);
  // Counts requests that fail before the rate limit's hook, such as one with an invalid path.
  if (isRateLimited(request) && !reply.hasHeader(RATE_LIMIT_HEADER)) counter.count(request, reply);
  const now = core.clock.now();
  if (answer instanceof QuotaExceededError) setQuotaHeaders(reply, answer, now);
  reply.header(REQUEST_ID_HEADER, request.id);
  reply.headers(SAFE_HEADERS);
  return sendError(reply, answer, request.id, core);
}

/** Returns whether every operation may fail like this: injected, or because the database of a team is unavailable. */
function mayFailAnywhere(refusal: ServiceError, error: unknown): boolean {
  return refusal instanceof InjectedError || error instanceof DatabaseUnavailableError;
}

/** Reads and discards the rest of a body: a client that is still sending would not read a response on a closed connection. */
function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  request.raw.resume();
}

function setQuotaHeaders(reply: FastifyReply, { quota, left, resetsAt }: QuotaExceededError, now: number): void {
  reply.headers(rateLimitHeaders({ limit: quota, remaining: left, reset: resetsAt / 1000 }));
  reply.header(RETRY_AFTER_HEADER, Math.ceil((resetsAt - now) / 1000));
}
