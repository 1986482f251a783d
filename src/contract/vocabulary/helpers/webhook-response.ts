import { WEBHOOK_RESPONSE_BYTES } from '../limits.js';

/** Formats a receiver's response to a webhook, for the server's records and those of `svc webhooks listen`. */

/** Reads the first bytes of a response body, and ends the stream. */
export async function readResponseStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const start = new Uint8Array(WEBHOOK_RESPONSE_BYTES);
  let size = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, WEBHOOK_RESPONSE_BYTES - size);
    start.set(taken, size);
    size += taken.byteLength;
    if (size === WEBHOOK_RESPONSE_BYTES) break;
  }
  return start.subarray(0, size);
}

/** Joins the values of repeated headers. */
export function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

/** Describes a connection that ended without a response. */
export function describeConnectionError(error: Error & { code?: string; errors?: readonly Error[] }): string {
  return error.message || error.errors?.[0]?.message || error.code || 'the connection failed';
}

/** Describes a receiver that did not respond in time. */
export function describeTimeout(milliseconds: number): string {
  return `no response within ${milliseconds / 1000} s`;
}
