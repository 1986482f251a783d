import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import {
  describeConnectionError,
  describeTimeout,
  joinHeaders,
  readResponseStart,
} from '../../contract/vocabulary/helpers/webhook-response.js';
import type { Post, PostRequest, PostResult } from '../../core/ports.js';
import { isPrivateAddress } from './private-address.js';

/**
 * Posts to a customer's URL. Every such request uses this module, which follows no redirects, limits the response, and
 * blocks private networks except loopback.
 */

/** Milliseconds to keep an idle connection open for the next request. */
const KEEP_ALIVE_MS = 4_000;

class BlockedAddressError extends Error {
  constructor(host: string, address: string) {
    super(`${host} is in a private network (${address}); svc posts to public addresses and to this machine only`);
  }
}

/** Returns a function that posts, and one that closes its connections. Connections stay open between requests. */
export function createPost(): { post: Post; close(): Promise<void> } {
  const agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect: { lookup: guardedLookup } });
  return { post: (wanted) => attempt(wanted, agent), close: () => agent.destroy() };
}

async function attempt({ url, headers, body, timeoutMs }: PostRequest, dispatcher: Agent): Promise<PostResult> {
  try {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && isPrivateAddress(host)) throw new BlockedAddressError(host, host);
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      // Uses system time, because the limit applies to a real receiver and not to the service's clock.
      signal: AbortSignal.timeout(timeoutMs),
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
    return { status: null, headers: {}, body: '', error: describe(error as Error & { code?: string }, timeoutMs) };
  }
}

function describe(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return describeTimeout(timeoutMs);
  if (error.code === 'UND_ERR_DESTROYED') return 'svc stopped before there was a response';
  return describeConnectionError(error);
}

/**
 * Resolves a host, and rejects it if any of its addresses is private, so that a DNS name cannot refer to a private
 * network.
 */
const guardedLookup: NonNullable<import('node:net').TcpSocketConnectOpts['lookup']> = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const blocked = addresses?.find(({ address }) => isPrivateAddress(address));
    if (error || blocked) {
      callback(error ?? new BlockedAddressError(host, blocked?.address ?? ''), '', 0);
    } else if (options.all) {
      (callback as unknown as (error: null, all: typeof addresses) => void)(null, addresses);
    } else {
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    }
  });
};
