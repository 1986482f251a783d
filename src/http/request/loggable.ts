import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../contract/vocabulary/errors.js';
import { REQUEST_ID_HEADER, readTraceparent, TRACEPARENT_HEADER } from '../../contract/vocabulary/headers.js';
import {
  LOGGED_DETAILS_MAX,
  LOGGED_ERROR_CHARACTERS,
  USER_AGENT_CHARACTERS,
} from '../../contract/vocabulary/limits.js';
import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Caller } from '../../core/model/emails.js';

/** Reads the parts of a request that the request log and the report of warnings keep, without secrets. */

/** Maximum characters of a path that the request log and the report of warnings keep. */
export const PATH_CHARACTERS = 2_000;

export function loggablePath(path: string): string {
  return maskSecrets(path.slice(0, PATH_CHARACTERS));
}

export function loggableUserAgent(text: string | undefined): string | null {
  return text === undefined ? null : maskSecrets(text.slice(0, USER_AGENT_CHARACTERS));
}

export function loggableWarning({ code, path, message }: ServiceWarning): ServiceWarning {
  return { code, path: maskSecrets(path), message: maskSecrets(message) };
}

/** Returns what the request log keeps of an error. */
export function loggableError(error: ServiceError | null) {
  return {
    errorCode: error?.code ?? null,
    errorMessage: error && loggableText(error.message),
    errorDetails: (error?.details ?? [])
      .slice(0, LOGGED_DETAILS_MAX)
      .map(({ path, message }) => ({ path: loggableText(path), message: loggableText(message) })),
  };
}

function loggableText(text: string): string {
  return maskSecrets(shortened(text, LOGGED_ERROR_CHARACTERS).toWellFormed());
}

/** Reads the identifiers that callers give their requests. Invalid ones are ignored, as the standard requires. */

/** Characters that no log has to escape, and that no address has. */
const REQUEST_ID = /^[\w.:+/=~-]{1,128}$/;

export function callerOf({ headers }: Pick<FastifyRequest, 'headers'>): Caller {
  const traceparent = String(headers[TRACEPARENT_HEADER] ?? '');
  const given = String(headers[REQUEST_ID_HEADER.toLowerCase()] ?? '');
  return {
    traceparent: readTraceparent(traceparent) ? traceparent : null,
    clientRequestId: REQUEST_ID.test(given) ? given : null,
  };
}

/** How the log names a caller. */
export interface TraceFields {
  /** The ID of the trace that the request belongs to, in 32 hexadecimal digits. */
  trace_id: string | null;
  /** The caller's own ID of the request. */
  client_request_id: string | null;
}

export function traceFields({ traceparent, clientRequestId }: Caller): TraceFields {
  return { trace_id: readTraceparent(traceparent ?? '')?.traceId ?? null, client_request_id: clientRequestId };
}

/** Returns the pattern of the route that answers a request, such as `/v1/emails/{id}`; undefined without a route. */
export function routePattern(request: Pick<FastifyRequest, 'routeOptions' | 'is404'>): string | undefined {
  return request.is404 ? undefined : request.routeOptions?.url?.replace(/:(\w+)/g, '{$1}');
}
