import { Client } from './client.js';
import { httpFetch } from './http-fetch.js';
import type { ClientSettings, ServiceClient } from './service-client.js';
import { withTimeLimit } from './time-limit.js';
import { toServiceClient, userAgent } from './typed-calls.js';
import type { Fetch } from './wire-request.js';

/** The entry point `svc-cli/client`: the client of the service’s API and of the local server’s control API. */

export { ApiFailure, NoControlError, UnreachableError } from './failures.js';
export type * from './operations.js';
export type * from './service-client.js';

/** Returns a client of the service at `baseUrl`, which ends with `/v1`. @throws TypeError when a setting is invalid. */
export function createClient({ baseUrl, apiKey, fetch }: ClientSettings): ServiceClient {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(`baseUrl must be a URL such as "http://127.0.0.1:8025/v1", not ${JSON.stringify(baseUrl)}.`);
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be the API key to send.');
  // Not the platform's fetch, which gives up on a response after five minutes: a wait may take an hour.
  const send = withTimeLimit(fetch ? fetchWith(fetch) : httpFetch);
  return toServiceClient(baseUrl, new Client({ baseUrl, apiKey, userAgent, fetch: send }));
}

/** Redirects are not followed, because the key would go to their target. */
function fetchWith(fetch: typeof globalThis.fetch): Fetch {
  return (url, init) =>
    fetch(url, {
      ...init,
      redirect: 'manual',
      ...(typeof init.body === 'object' && { duplex: 'half' as const }),
    } as RequestInit) as ReturnType<Fetch>;
}
