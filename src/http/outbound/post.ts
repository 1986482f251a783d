import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import type { Post, PostRequest, PostResult } from '../../core/ports.js';
import { isPrivateAddress } from './private-address.js';

/**
 * Every request that svc makes to a customer's URL goes through here: no redirects, no private network but loopback, the
 * response read up to a limit.
 */

const RESPONSE_BODY_BYTES = 64 * 1024;
/** An idle connection is kept this long for the next request. */
const KEEP_ALIVE_MS = 4_000;

class BlockedAddressError extends Error {
  constructor(host: string, address: string) {
    super(`${host} is in a private network (${address}); svc posts to public addresses and to this machine only`);
  }
}

/** Makes the poster, which keeps connections open between requests. */
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
      // A limit on a real socket to a real receiver: the machine's time, whatever the service's clock says.
      signal: AbortSignal.timeout(timeoutMs),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const responseHeaders = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    );
    return { status: response.statusCode, headers: responseHeaders, body: await readStart(response.body), error: null };
  } catch (error) {
    return { status: null, headers: {}, body: '', error: describe(error as Error & { code?: string }, timeoutMs) };
  }
}

/** The start of a body; the rest is not waited for. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= RESPONSE_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BODY_BYTES).toString('utf8');
}

function describe(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  if (error.code === 'UND_ERR_DESTROYED') return 'svc stopped before there was a response';
  const inner = (error as AggregateError).errors?.[0] as (Error & { code?: string }) | undefined;
  return error.message || inner?.message || error.code || 'the connection failed';
}

/** Looks a host up and refuses it when any of its addresses is private, so that DNS cannot lead there. */
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
