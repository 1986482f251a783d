import type { Fetch } from '../../client/client.js';
import { reasonOf, rootOf, TransportError } from '../../client/failures.js';
import { UsageError } from '../errors/exit-codes.js';

/** Connects through proxies from the environment. Node 20's own fetch does not support them. */

/** A proxy, and the variable that names it. */
interface Proxy {
  url: string;
  variable: string;
}

export interface ProxySettings {
  /** By the protocol of the called URL. */
  http: Proxy | undefined;
  https: Proxy | undefined;
  noProxy: string;
}

/** How a server is reached. */
export interface Transport {
  fetch: Fetch;
  /** Returns the error to report for a failed call: the failure itself, or the part of the route that failed. */
  explain(error: unknown): unknown;
}

/** Reads a variable, the lower-case name first, as curl does. An empty variable counts as unset. */
function read(env: NodeJS.ProcessEnv, name: string): Proxy | undefined {
  const variable = [name.toLowerCase(), name].find((each) => env[each]);
  return variable === undefined ? undefined : { url: env[variable] ?? '', variable };
}

/** Returns the proxies of the environment; undefined without any. @throws UsageError when a value is not a URL. */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | undefined {
  const [http, https] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => {
    const proxy = read(env, name);
    // The value may contain a password, so it is not repeated.
    if (proxy && !(URL.canParse(proxy.url) && /^https?:$/.test(new URL(proxy.url).protocol)))
      throw new UsageError(`${proxy.variable} must be an http or https URL.`);
    return proxy;
  });
  return (http ?? https) ? { http, https: https ?? http, noProxy: read(env, 'NO_PROXY')?.url ?? '' } : undefined;
}

/**
 * Opens the route to a server through its proxy, except for a host that is exempt. Loaded when needed: most commands
 * have no proxy.
 */
export async function openProxy(baseUrl: string, { http, https, noProxy }: ProxySettings): Promise<Transport> {
  // By its default export, the only one of a bundled CommonJS module.
  const { buildConnector, EnvHttpProxyAgent, fetch } = (await import('undici')).default;
  const connect = buildConnector({});
  let direct = false;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: http?.url ?? '',
    httpsProxy: https?.url ?? '',
    noProxy,
    // Connections kept for later would keep the process alive.
    keepAliveTimeout: 1,
    // Called only for connections to servers, never for one to a proxy.
    connect(options, done) {
      direct = true;
      connect(options, done);
    },
  });
  const proxy = baseUrl.startsWith('https:') ? https : http;
  // A streamed body is half duplex: HTTP/1.1 supports nothing else.
  const half = { duplex: 'half' } as const;
  return {
    // A redirect is reported, as without a proxy: the key must not go to its target.
    fetch: (url, init) =>
      fetch(url, { ...init, dispatcher, redirect: 'manual', ...(typeof init.body === 'object' && half) }),
    explain: (error) => (direct || !proxy ? error : throughProxy(proxy, error)),
  };
}

/** Errors that can only come from the route to the proxy: the proxy looks the server up and connects to it. */
const OF_THE_PROXY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const AUTHENTICATION_REQUIRED = '407';

function throughProxy({ url, variable }: Proxy, error: unknown): TransportError {
  const { protocol, host } = new URL(url);
  // Without its user name and password.
  const proxy = `the proxy ${protocol}//${host} (from ${variable})`;
  const { code = '', message = '' } = rootOf(error) ?? {};
  const around = 'or add the host to NO_PROXY to connect without a proxy.';
  if (OF_THE_PROXY.has(code)) {
    const hint = `Set ${variable} to a running proxy, ${around}`;
    return new TransportError(`cannot connect to ${proxy}: ${reasonOf(error)}`, hint, error, false);
  }
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) {
    const hint =
      status === AUTHENTICATION_REQUIRED
        ? `The proxy requires a user name and password. Set ${variable} to http://USER:PASSWORD@${host}.`
        : `Contact the proxy’s administrator, ${around}`;
    return new TransportError(`${proxy} responded ${status}`, hint, error, status.startsWith('4'));
  }
  return new TransportError(reasonOf(error), `The request went through ${proxy}.`, error, false);
}
