import type { Fetch } from '../client/client.js';
import { isLoopbackAddress } from '../client/failures.js';
import { lazy } from '../contract/lazy.js';
import { httpFetch } from './http-fetch.js';
import { openProxy, readProxySettings, type Way } from './proxy.js';

/** How the command line reaches a server over the network. */

export const DEFAULT_TIMEOUT_SECONDS = 30;

export interface NetworkOptions {
  /** How long a call may take, its answer read to the end. */
  timeoutSeconds: number;
  env: NodeJS.ProcessEnv;
}

const STRAIGHT: Way = { fetch: httpFetch, explain: (error) => error };

/** A fetch with a time-out, through the proxy that the environment names; never for this machine itself, whose servers no proxy knows. */
export function networkFetch(baseUrl: string, { timeoutSeconds, env }: NetworkOptions): Fetch {
  const proxy = isLoopbackAddress(new URL(baseUrl).hostname) ? undefined : readProxySettings(env);
  const opening = proxy && lazy(() => openProxy(baseUrl, proxy));
  return async (url, { endless, ...init }) => {
    const way = (await opening?.()) ?? STRAIGHT;
    const timeout = endless ? undefined : AbortSignal.timeout(timeoutSeconds * 1_000);
    const signal = timeout && init.signal ? AbortSignal.any([init.signal, timeout]) : (timeout ?? init.signal);
    return way.fetch(url, { ...init, ...(signal && { signal }) }).catch((error: unknown) => {
      throw way.explain(timeout?.aborted ? timeout.reason : error);
    });
  };
}
