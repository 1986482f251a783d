import { version } from '../version.js';
import { Client, type Fetch } from './client.js';
import type { ClientSettings, ServiceClient } from './service-client.js';

/** The entry point `svc-cli/client`: the client of the service’s API and of the local server’s control API. */

export { ApiFailure, NoControlError, UnreachableError } from './failures.js';
export type * from './operations.js';
export type * from './service-client.js';

/** The platform's own, unless the program replaces it later: test kits often do. */
const platformFetch = globalThis.fetch;

/** Returns a client of the service at `baseUrl`, which ends with `/v1`. @throws TypeError when a setting is invalid. */
export function createClient({ baseUrl, apiKey, fetch }: ClientSettings): ServiceClient {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(`baseUrl must be a URL such as "http://127.0.0.1:8025/v1", not ${JSON.stringify(baseUrl)}.`);
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be the API key to send.');
  return toServiceClient(baseUrl, new Client({ baseUrl, apiKey, userAgent, fetch: fetchWith(fetch ?? platformFetch) }));
}

/** The product that names this client in requests and in the request log. */
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

/** Redirects are not followed, because the key would go to their target. */
function fetchWith(fetch: typeof globalThis.fetch): Fetch {
  return (url, { noTimeout, ...init }) =>
    fetch(url, {
      ...init,
      redirect: 'manual',
      ...(typeof init.body === 'object' && { duplex: 'half' as const }),
    } as RequestInit) as ReturnType<Fetch>;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
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
