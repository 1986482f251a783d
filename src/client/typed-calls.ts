import { version } from '../version.js';
import type { Client } from './client.js';
import type { ServiceClient } from './service-client.js';

/** The product that names applications and tests in requests and in the request log. */
export const userAgent = `svc-client/${version}`;

/** Returns the typed functions of a client. */
export function toServiceClient(baseUrl: string, client: Client): ServiceClient {
  return {
    baseUrl,
    call: (name, request?: object) => client.call(name, (request ?? {}) as never) as never,
    control: (name, request?: object) => client.control(name, (request ?? {}) as never) as never,
    download: (name, request) => collect(client.stream(name, request as never)),
  };
}

/** Returns all bytes of a stream. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
