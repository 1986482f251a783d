import type { FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER } from '../../contract/vocabulary/headers.js';

/** Reads the identifiers that callers give their requests. Invalid ones are ignored, as the standard requires. */

/** The header of https://www.w3.org/TR/trace-context/: version, trace, parent and flags. Later versions may add parts. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.{0,200})?$/;
/** Characters that no log has to escape, and that no address has. */
const REQUEST_ID = /^[\w.:+/=~-]{1,128}$/;

export interface Correlation {
  /** The ID of the trace that the request belongs to, in 32 hexadecimal digits. */
  trace_id: string | null;
  /** The caller's own ID of the request. */
  client_request_id: string | null;
}

export function correlationOf({ headers }: Pick<FastifyRequest, 'headers'>): Correlation {
  const [, trace_id = null] = TRACEPARENT.exec(String(headers.traceparent ?? '')) ?? [];
  const given = String(headers[REQUEST_ID_HEADER.toLowerCase()] ?? '');
  return { trace_id, client_request_id: REQUEST_ID.test(given) ? given : null };
}
