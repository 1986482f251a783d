/**
 * Reads and writes the header `traceparent` of https://www.w3.org/TR/trace-context/: version, trace, parent and flags.
 * Later versions may add parts.
 */

export const TRACEPARENT_HEADER = 'traceparent';

const FORM = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-.{0,200})?$/;
const SAMPLED = 1;

/** Returns the trace of a header, in 32 hexadecimal digits, and whether it is recorded; undefined for an invalid one. */
export function readTraceparent(text: string): { traceId: string; isSampled: boolean } | undefined {
  const [, traceId, flags = ''] = FORM.exec(text) ?? [];
  return traceId === undefined ? undefined : { traceId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Returns the header of a request that belongs to the trace of another one. @param spanId 16 hexadecimal digits */
export function childTraceparent(parent: string, spanId: string): string | undefined {
  const trace = readTraceparent(parent);
  return trace && `00-${trace.traceId}-${spanId}-${trace.isSampled ? '01' : '00'}`;
}
