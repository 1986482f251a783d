import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import {
  describeConnectionError,
  describeTimeout,
  joinHeaders,
  readResponseStart,
} from '../../contract/vocabulary/webhooks/attempts.js';
import { mayReachLoopback, type OutboundHosts, OWN_MACHINE, toAllowHost } from '../../core/account/outbound-hosts.js';
import { webhookHostProblem } from '../../core/account/webhook-url.js';
import type { Post, PostRequest, PostResult } from '../../core/ports.js';
import { addressKind, guardedLookup } from './guarded-lookup.js';

/**
 * Posts to a customer's URL. Every such request uses this module, which follows no redirects and limits the response.
 * Plain http and private networks are blocked, except for hosts that the server allows. So is loopback on a server for a
 * team.
 */

/** Milliseconds to keep an idle connection open for the next request. */
const KEEP_ALIVE_MS = 4_000;

class BlockedAddressError extends Error {
  constructor(host: string, reason: string) {
    super(`${host} ${reason}; to allow it, ${toAllowHost(host)}`);
  }
}

/** Returns why a host must not be reached at an address; undefined if it may be. */
function addressRefusal(host: string, address: string, hosts: OutboundHosts): Error | undefined {
  const kind = addressKind(address);
  if (kind === 'public' || hosts.allowed.has(host)) return undefined;
  if (kind === 'private') return new BlockedAddressError(host, `is in a private network (${address})`);
  return mayReachLoopback(host, hosts) ? undefined : new BlockedAddressError(host, `is ${OWN_MACHINE}`);
}

/**
 * Returns a function that posts, and one that closes its connections. Connections stay open between requests.
 * @param hosts hosts that may be reached over plain http, and at loopback or private addresses
 */
export function createPost(hosts: OutboundHosts): { post: Post; close(): Promise<void> } {
  const lookup = guardedLookup((host, address) => addressRefusal(host, address, hosts));
  const connect = { lookup };
  const agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect });
  return {
    async post(wanted) {
      const refusal = refusalOf(wanted.url, hosts);
      return refusal ? failed(refusal.message) : attempt(wanted, agent);
    },
    close: () => agent.destroy(),
  };
}

/**
 * Returns why a URL is blocked before any look-up. The API refuses these URLs too, but a webhook may have been created
 * by a server with other settings, or imported.
 */
function refusalOf(url: string, hosts: OutboundHosts): Error | undefined {
  const { hostname } = new URL(url);
  if (hosts.allowed.has(hostname)) return undefined;
  const address = hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(address) ? addressRefusal(address, address, hosts) : undefined;
  if (refusal || webhookHostProblem(url, hosts) === undefined) return refusal;
  if (isLoopback(hostname)) return new BlockedAddressError(hostname, `is ${OWN_MACHINE}`);
  return new Error(`plain http to ${address} is not allowed; to allow it, ${toAllowHost(address)}`);
}

async function attempt({ url, headers, body, timeoutMs, signal }: PostRequest, dispatcher: Agent): Promise<PostResult> {
  // Uses system time, because the limit applies to a real receiver and not to the service's clock.
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const start = await readResponseStart(response.body);
    return {
      status: response.statusCode,
      headers: joinHeaders(response.headers),
      body: Buffer.from(start).toString('utf8'),
      error: null,
    };
  } catch (error) {
    // AbortSignal.any does not keep the signals that it follows: without this use, a garbage collection would end the
    // time limit.
    if (timeout.aborted) return failed(describeTimeout(timeoutMs));
    return failed(describe(error as Error & { code?: string }, timeoutMs));
  }
}

function failed(error: string): PostResult {
  return { status: null, headers: {}, body: '', error };
}

function describe(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return describeTimeout(timeoutMs);
  if (error.code === 'UND_ERR_DESTROYED') return 'svc stopped before there was a response';
  return describeConnectionError(error);
}
