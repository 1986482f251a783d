import { isIP } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { describeConnectionError, describeTimeout } from '../../contract/vocabulary/webhooks/attempts.js';
import { mayReachLoopback, type OutboundHosts, OWN_MACHINE, toAllowHost } from '../../core/account/outbound-hosts.js';
import type { LinkAnswer, LinkRequest } from '../../core/ports.js';
import { addressKind, guardedLookup } from './guarded-lookup.js';

/** Requests links of emails: without credentials, redirects and private networks, and without reading a body. */

/** Statuses by which a server reports that it does not support HEAD. */
const NO_HEAD = new Set([405, 501]);

/** Requests a link with HEAD, and with GET if the server does not support that. */
export async function requestLink(
  { url, remote, timeoutMs, signal }: LinkRequest,
  userAgent: string,
  hosts: OutboundHosts,
): Promise<LinkAnswer> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) ? refusalOf(host, host, remote, hosts) : undefined;
  if (refusal) return failed(refusal.message);
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup((...found) => refusalOf(...found, remote, hosts)) },
  });
  // Uses system time, because the limit applies to a real server and not to the service's clock.
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const headers = { 'user-agent': userAgent, accept: '*/*' };
    const options = { dispatcher, headers, signal: AbortSignal.any([timeout, signal]) };
    const answer = await requestWith('HEAD', url, options);
    return answer.status !== null && NO_HEAD.has(answer.status) ? await requestWith('GET', url, options) : answer;
  } catch (error) {
    // AbortSignal.any does not keep the signals that it follows: without this use, a garbage collection would end the
    // time limit.
    return failed(timeout.aborted ? describeTimeout(timeoutMs) : describeConnectionError(error as Error));
  } finally {
    await dispatcher.destroy();
  }
}

async function requestWith(
  method: 'HEAD' | 'GET',
  url: string,
  options: { dispatcher: Dispatcher; headers: Record<string, string>; signal: AbortSignal },
): Promise<LinkAnswer> {
  const { statusCode, headers, body } = await request(url, { ...options, method });
  body.on('error', () => {});
  body.destroy();
  return { status: statusCode, location: [headers.location ?? []].flat()[0] ?? null, error: null };
}

export function refusalOf(host: string, address: string, remote: boolean, hosts: OutboundHosts): Error | undefined {
  const kind = addressKind(address);
  if (kind === 'loopback') {
    if (mayReachLoopback(host, hosts)) return undefined;
    return new Error(`${host} is ${OWN_MACHINE}; to allow it, ${toAllowHost(host)}`);
  }
  if (!remote) return new Error(`${host} is another machine`);
  return kind === 'private' ? new Error(`${host} is in a private network (${address})`) : undefined;
}

function failed(error: string): LinkAnswer {
  return { status: null, location: null, error };
}
