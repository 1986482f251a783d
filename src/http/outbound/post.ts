import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import {
  describeConnectionError,
  describeTimeout,
  joinHeaders,
  readResponseStart,
} from '../../contract/vocabulary/helpers/webhook-response.js';
import { plainHttpProblem } from '../../contract/vocabulary/parsers/webhook-url.js';
import type { Post, PostRequest, PostResult } from '../../core/ports.js';
import { guardedLookup } from './guarded-lookup.js';
import { isPrivateAddress } from './private-address.js';

/**
 * Posts to a customer's URL. Every such request uses this module, which follows no redirects and limits the response.
 * Plain http and private networks are blocked, except for loopback and for hosts that svc dev allows.
 */

/** Milliseconds to keep an idle connection open for the next request. */
const KEEP_ALIVE_MS = 4_000;

class BlockedAddressError extends Error {
  constructor(host: string, address: string) {
    super(`${host} is in a private network (${address}); to allow it, start svc dev with --allow-webhook-host ${host}`);
  }
}

/**
 * Returns a function that posts, and one that closes its connections. Connections stay open between requests.
 * @param allowedHosts hosts that may use plain http and private addresses, in the form of URLs
 */
export function createPost(allowedHosts: ReadonlySet<string>): { post: Post; close(): Promise<void> } {
  const lookup = guardedLookup((host, address) =>
    !allowedHosts.has(host) && isPrivateAddress(address) ? new BlockedAddressError(host, address) : undefined,
  );
  const connect = { lookup };
  const agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect });
  return {
    async post(wanted) {
      const refusal = refusalOf(new URL(wanted.url), allowedHosts);
      return refusal ? failed(refusal.message) : attempt(wanted, agent);
    },
    close: () => agent.destroy(),
  };
}

/**
 * Returns why a URL is blocked before any look-up. The API refuses these URLs too, but a webhook may have been created
 * by a server with other settings, or imported.
 */
function refusalOf(url: URL, allowedHosts: ReadonlySet<string>): Error | undefined {
  if (allowedHosts.has(url.hostname)) return undefined;
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) && isPrivateAddress(address)) return new BlockedAddressError(address, address);
  if (plainHttpProblem(url.href, allowedHosts) === undefined) return undefined;
  return new Error(
    `plain http to ${address} is not allowed; to allow it, start svc dev with --allow-webhook-host ${address}`,
  );
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
