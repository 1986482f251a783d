import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../contract/vocabulary/access.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { MEBIBYTE } from '../../contract/vocabulary/limits.js';
import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { shortened } from '../../contract/vocabulary/text.js';
import { type Core, timestamp } from '../../core/context.js';
import { ProcessorUnavailableError } from '../../core/ports.js';
import {
  DatabaseUnavailableError,
  SearchTimeoutError,
  StoreDamagedError,
  StoreUnavailableError,
} from '../../core/store.js';
import { PRIVATE_HEADERS } from './headers.js';
import { pathOf, unknownPath } from './unknown-path.js';

/** Creates the envelope of every response. Specification: Response envelope; gap 12. */

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendData(
  reply: FastifyReply,
  status: number,
  data: unknown,
  requestId: string,
  now: number,
): FastifyReply {
  const body = JSON.stringify({ success: true, data, meta: { request_id: requestId, timestamp: timestamp(now) } });
  return reply.code(status).headers(PRIVATE_HEADERS).header('content-type', JSON_TYPE).send(body);
}

/** Value of `Retry-After`, in seconds, in a response with status 503. */
const UNAVAILABLE_SECONDS = 1;

export function sendError(
  reply: FastifyReply,
  error: ServiceError,
  requestId: string,
  { clock, access }: Pick<Core, 'clock' | 'access'>,
): FastifyReply {
  if (error.failure === 'unavailable') reply.header(RETRY_AFTER_HEADER, UNAVAILABLE_SECONDS);
  return reply
    .code(error.status)
    .headers(PRIVATE_HEADERS)
    .header('content-type', JSON_TYPE)
    .send(errorBody(error, requestId, clock.now(), access));
}

/** Returns the body of an error response. A key that was sent as an id or a path is not repeated in it. */
export function errorBody(error: ServiceError, requestId: string, now: number, access: Access = 'local'): string {
  const { code, status } = error;
  const message = maskSecrets(error.message);
  const hint = maskSecrets(error.hintFor(access));
  const details = error.details?.map(({ path, message, ...rest }) => ({
    path: maskSecrets(path),
    message: maskSecrets(message),
    ...rest,
  }));
  return JSON.stringify({
    success: false,
    error: { code, message, status, ...(details && { details }), ...(hint && { hint }) },
    meta: { request_id: requestId, timestamp: timestamp(now) },
  });
}

/** Returns whether fastify rejected a body because of its size. The client may still be sending it. */
export function isTooLarge(error: unknown): boolean {
  return (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/**
 * Converts any error to the one to return to the client. All errors except ServiceError and fastify's own rejections
 * are faults of the server.
 */
export function asServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailableError) return notStored(error);
  if (error instanceof ProcessorUnavailableError) return new ServiceError('unavailable', error.message);
  if (error instanceof StoreDamagedError) return new ServiceError('internal', error.message, undefined, error.advice);
  const { code, statusCode, message } = error as FastifyError;
  if (isTooLarge(error)) {
    const { bodyLimit } = request.routeOptions;
    const size = bodyLimit < MEBIBYTE ? `${bodyLimit} bytes` : `${bodyLimit / MEBIBYTE} MiB`;
    return new ServiceError('bad_request', `The request body is larger than ${size}.`);
  }
  if (code === 'FST_ERR_BAD_URL') {
    const path = JSON.stringify(shortened(pathOf(request)));
    return new ServiceError('bad_request', `The path ${path} contains an invalid percent-encoding.`);
  }
  if (statusCode === 404) return unknownPath(request);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ServiceError('bad_request', message);
  return new ServiceError('internal', 'The server failed.');
}

/**
 * Returns whether an error response is a fault to report. Unavailable workers are not a fault while the server is
 * stopping.
 */
export function isFault({ failure }: ServiceError, stopping: AbortSignal): boolean {
  return failure === 'internal' || (failure === 'unavailable' && !stopping.aborted);
}

/** Returns whether the client closed the connection before it had sent the whole request. */
export function isAborted(error: unknown): boolean {
  const { code, message, name } = (error ?? {}) as { code?: string; message?: string; name?: string };
  return (
    (code === 'ECONNRESET' && message === 'aborted') || code === 'ERR_STREAM_PREMATURE_CLOSE' || name === 'AbortError'
  );
}

/**
 * Returns the error for a write that could not be stored. The specification has no code for it, so the message explains
 * it.
 */
function notStored(error: StoreUnavailableError): ServiceError {
  const { message, advice, stored = 'Nothing of the request was stored.' } = error;
  const hint = [advice, 'Then retry the request.'].join(' ');
  return new ServiceError(
    error instanceof DatabaseUnavailableError ? 'unavailable' : 'internal',
    error instanceof SearchTimeoutError ? `${message}.` : `${message}. ${stored}`,
    undefined,
    advice === undefined ? 'Retry the request.' : hint,
  );
}
