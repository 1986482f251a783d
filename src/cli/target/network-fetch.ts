import { httpFetch } from '../../client/http-fetch.js';
import { withEnd, withTimeLimit } from '../../client/time-limit.js';
import type { Fetch } from '../../client/wire-request.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { lazy } from '../../contract/vocabulary/lazy.js';
import { openProxy, readProxySettings, type Transport } from './proxy.js';

export interface NetworkOptions {
  /** The time limit of a call in seconds, including reading its response. */
  timeoutSeconds: number;
  env: NodeJS.ProcessEnv;
  /** Aborted with a `CommandEndedError` when the whole command ends. */
  ended?: AbortSignal | undefined;
}

const STRAIGHT: Transport = { fetch: httpFetch, explain: (error) => error };

/**
 * Returns a fetch with a time limit, through the proxy of the environment. Calls to this machine itself use no proxy,
 * because a proxy could not reach it.
 */
export function networkFetch(baseUrl: string, { timeoutSeconds, env, ended }: NetworkOptions): Fetch {
  const proxy = isLoopback(new URL(baseUrl).hostname) ? undefined : readProxySettings(env);
  const opening = proxy && lazy(() => openProxy(baseUrl, proxy));
  const send: Fetch = async (url, init) => {
    const transport = (await opening?.()) ?? STRAIGHT;
    return transport.fetch(url, init).catch((error: unknown) => {
      throw transport.explain(init.signal?.aborted ? init.signal.reason : error);
    });
  };
  const limited = withTimeLimit(send, timeoutSeconds * 1_000);
  return ended ? withEnd(limited, ended) : limited;
}
