import type { Fetch } from '../client/client.js';
import { isLoopbackAddress } from '../client/failures.js';
import { httpFetch } from './http-fetch.js';
import { openProxy, readProxySettings } from './proxy.js';

/** How the command line reaches a server over the network. */

export const DEFAULT_TIMEOUT_SECONDS = 30;

export interface NetworkOptions {
  /** How long a call may take, its answer read to the end. */
  timeoutSeconds: number;
  env: NodeJS.ProcessEnv;
}

/** A fetch with a time-out, through the proxy that the environment names; never for this machine itself, whose servers no proxy knows. */
export function networkFetch(baseUrl: string, { timeoutSeconds, env }: NetworkOptions): Fetch {
  const proxy = isLoopbackAddress(new URL(baseUrl).hostname) ? undefined : readProxySettings(env);
  let opening: Promise<Fetch> | undefined;
  return async (url, { endless, ...init }) => {
    if (proxy) opening ??= openProxy(proxy);
    const fetch = (await opening) ?? httpFetch;
    if (endless) return fetch(url, init);
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(url, { ...init, signal }).catch((error: unknown) => {
      throw timeout.aborted ? timeout.reason : error;
    });
  };
}
