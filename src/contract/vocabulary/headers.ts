/** Defines headers of requests and responses. Specification: Rate limits by plan; gaps 13, 31, 38. */

export const RATE_LIMIT_HEADER = 'X-RateLimit-Limit';
export const RATE_LIMIT_REMAINING_HEADER = 'X-RateLimit-Remaining';
export const RATE_LIMIT_RESET_HEADER = 'X-RateLimit-Reset';
export const RETRY_AFTER_HEADER = 'Retry-After';
export const REQUEST_ID_HEADER = 'X-Request-Id';
export const FAULT_HEADER = 'X-Service-Fault';
export const WARNING_HEADER = 'X-Service-Warning';

/** The user agent of svc's own calls, up to the version. */
export const OWN_USER_AGENT = 'svc-cli/';

/** Defines the headers of a webhook request. Specification: Events. */

export const PAYLOAD_VERSION = '1.0';

export const SIGNATURE_HEADER = 'X-Service-Signature';

/** The number of the attempt, counted from 1. Not in the specification; receivers may ignore it. */
export const ATTEMPT_HEADER = 'X-Service-Attempt';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const HEADER_LINE_FORM = '"Name: value"';

/** Returns the name and the value of a header line (RFC 9110 section 5); undefined if it is invalid. */
export function readHeaderLine(line: string): [name: string, value: string] | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (!HEADER_NAME.test(name) || /[\r\n\0]/.test(line)) return undefined;
  return [name, line.slice(colon + 1).trim()];
}

/**
 * Reads and writes the header `traceparent` of https://www.w3.org/TR/trace-context/: version, trace, parent and flags.
 * Later versions may add parts.
 */

export const TRACEPARENT_HEADER = 'traceparent';

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-.{0,200})?$/;
const SAMPLED = 1;

/** Returns the trace of a header, in 32 hexadecimal digits, and whether it is recorded; undefined for an invalid one. */
export function readTraceparent(text: string): { traceId: string; isSampled: boolean } | undefined {
  const [, traceId, flags = ''] = TRACEPARENT.exec(text) ?? [];
  return traceId === undefined ? undefined : { traceId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Returns the header of a request that belongs to the trace of another one. @param spanId 16 hexadecimal digits */
export function childTraceparent(parent: string, spanId: string): string | undefined {
  const trace = readTraceparent(parent);
  return trace && `00-${trace.traceId}-${spanId}-${trace.isSampled ? '01' : '00'}`;
}
