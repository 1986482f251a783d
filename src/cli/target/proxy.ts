import { type Cause, reasonOf, rootOf, TransportError } from '../../client/failures.js';
import type { Fetch } from '../../client/wire-request.js';
import { UsageError } from '../errors/exit-codes.js';

/** Connects through proxies from the environment. Node 20's own fetch does not support them. */

/** A proxy, and the variable that names it. */
interface Proxy {
  url: string;
  variable: string;
}

export interface ProxySettings {
  /** The proxies by the protocol of the called URL. */
  http: Proxy | undefined;
  https: Proxy | undefined;
  noProxy: string;
}

/** The connection to a server. */
export interface Transport {
  fetch: Fetch;
  /** Returns the error to report for a failed call, which names the proxy if the proxy caused it. */
  explain(error: unknown): unknown;
}

/** Reads a variable, in lower case first, as curl does. An empty variable counts as unset. */
function read(env: NodeJS.ProcessEnv, name: string): Proxy | undefined {
  const variable = [name.toLowerCase(), name].find((each) => env[each]);
  return variable === undefined ? undefined : { url: env[variable] ?? '', variable };
}

/** Returns the proxies of the environment; undefined without any. @throws UsageError when a value is not a URL. */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | undefined {
  const [http, https] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => {
    const proxy = read(env, name);
    // The value may contain a password, so the message does not repeat it.
    if (proxy && !(URL.canParse(proxy.url) && /^https?:$/.test(new URL(proxy.url).protocol)))
      throw new UsageError(`${proxy.variable} must be an http or https URL.`);
    return proxy;
  });
  return (http ?? https) ? { http, https: https ?? http, noProxy: read(env, 'NO_PROXY')?.url ?? '' } : undefined;
}

/**
 * Connects to a server through its proxy, except for exempt hosts. Loaded when needed, because most commands use no
 * proxy.
 */
export async function openProxy(baseUrl: string, { http, https, noProxy }: ProxySettings): Promise<Transport> {
  // A bundled CommonJS module has only a default export.
  const { buildConnector, EnvHttpProxyAgent, fetch } = (await import('undici')).default;
  const connect = buildConnector({});
  let direct = false;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: http?.url ?? '',
    httpsProxy: https?.url ?? '',
    noProxy,
    // Idle connections would keep the process running.
    keepAliveTimeout: 1,
    // Calls have their own time limits, and a wait for emails may take an hour.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Called only for connections to servers, not for those to a proxy.
    connect(options, done) {
      direct = true;
      connect(options, done);
    },
  });
  const proxy = baseUrl.startsWith('https:') ? https : http;
  // HTTP/1.1 requires a streamed body to be declared as half duplex.
  const half = { duplex: 'half' } as const;
  return {
    // Reports a redirect instead of following it, as without a proxy: the key must not be sent to its target.
    fetch: (url, init) =>
      fetch(url, { ...init, dispatcher, redirect: 'manual', ...(typeof init.body === 'object' && half) }),
    explain: (error) => (direct || !proxy ? error : throughProxy(proxy, error)),
  };
}

/**
 * Errors that only the connection to the proxy can cause, because the proxy itself resolves the server's name and
 * connects to it.
 */
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
  // Omits the user name and password.
  const proxy = `the proxy ${protocol}//${host} (from ${variable})`;
  const { code = '', message = '' } = rootOf(error) ?? {};
  const around = 'or add the host to NO_PROXY to connect without a proxy.';
  if (OF_THE_PROXY.has(code)) {
    const hint = `Set ${variable} to a running proxy, ${around}`;
    return new TransportError(`cannot connect to ${proxy}: ${reasonOf(error)}`, hint, error, false);
  }
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) {
    (rootOf(error) as Cause).notSent = true;
    const hint =
      status === AUTHENTICATION_REQUIRED
        ? `The proxy requires a user name and password. Set ${variable} to http://USER:PASSWORD@${host}.`
        : `Contact the proxy’s administrator, ${around}`;
    return new TransportError(`${proxy} responded ${status}`, hint, error, status.startsWith('4'));
  }
  return new TransportError(reasonOf(error), `The request went through ${proxy}.`, error, false);
}
