import type { Fetch } from '../client/client.js';
import { UsageError } from './exit-codes.js';

/** Proxies from the environment. Node 20's own fetch knows none. */

export interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/** The lower-case name first, as curl has it. An empty variable is none. */
function read(env: NodeJS.ProcessEnv, name: string): string {
  return env[name.toLowerCase()] || env[name] || '';
}

/** What the environment says; undefined when it names no proxy. @throws UsageError when what it names is no URL. */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | undefined {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) {
    const value = read(env, name);
    // The value may hold a password, so it is not repeated.
    if (value && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
      throw new UsageError(`${name} must be the http or https URL of a proxy.`);
  }
  const settings = {
    httpProxy: read(env, 'HTTP_PROXY'),
    httpsProxy: read(env, 'HTTPS_PROXY'),
    noProxy: read(env, 'NO_PROXY'),
  };
  return settings.httpProxy || settings.httpsProxy ? settings : undefined;
}

/** A fetch through that proxy, but for the hosts that need none. Loaded when needed: most commands have no proxy. */
export async function openProxy(settings: ProxySettings): Promise<Fetch> {
  // By its default export, because that is all that a bundled CommonJS module has.
  const { EnvHttpProxyAgent, fetch } = (await import('undici')).default;
  // Connections that are kept for later would keep the process.
  const dispatcher = new EnvHttpProxyAgent({ ...settings, keepAliveTimeout: 1 });
  // What is sent as it comes goes one way at a time: HTTP/1.1 knows no other.
  const half = { duplex: 'half' } as const;
  // A redirect is shown, as without a proxy: the key is not for whomever it names.
  return (url, init) =>
    fetch(url, { ...init, dispatcher, redirect: 'manual', ...(typeof init.body === 'object' && half) });
}
