import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { describeConnectionError, describeTimeout } from '../../contract/vocabulary/webhooks/attempts.js';
import { mayReachLoopback, type OutboundHosts, OWN_MACHINE, toAllowHost } from '../../core/account/outbound-hosts.js';
import type { LinkAnswer, LinkRequest } from '../../core/ports.js';

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

function refusalOf(host: string, address: string, remote: boolean, hosts: OutboundHosts): Error | undefined {
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

type Lookup = NonNullable<import('node:net').TcpSocketConnectOpts['lookup']>;

/**
 * Returns a function that resolves a host, and rejects it if any of its addresses is refused, so that a DNS name cannot
 * refer to a network that requests must not reach.
 * @param refusalOf returns why an address must not be reached
 */
export function guardedLookup(refusalOf: (host: string, address: string) => Error | undefined): Lookup {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const refusal = addresses?.map(({ address }) => refusalOf(host, address)).find((each) => each !== undefined);
      if (error || refusal) {
        callback(error ?? refusal ?? null, '', 0);
      } else if (options.all) {
        (callback as unknown as (error: null, all: typeof addresses) => void)(null, addresses);
      } else {
        callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      }
    });
  };
}

/**
 * Networks that ipaddr.js considers public and that webhooks must not reach: Azure serves the platform of its virtual
 * machines on a public address.
 */
const ALSO_PRIVATE = [ipaddr.parseCIDR('168.63.129.16/32')];

/** The IPv6 addresses that IANA assigns for the public internet. All others are reserved, or contain an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** What may be reached at an address: this machine, a network of IANA's special-purpose registries, or the internet. */
export type AddressKind = 'loopback' | 'private' | 'public';

export function addressKind(text: string): AddressKind {
  const [bare = ''] = text.split('%', 1);
  if (!ipaddr.isValid(bare)) return 'private';
  // Converts an IPv4-mapped IPv6 address to the IPv4 address.
  const address = ipaddr.process(bare);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return 'private';
  if (address.kind() === 'ipv6') return address.match(GLOBAL_IPV6) ? 'public' : 'private';
  return ALSO_PRIVATE.some((network) => address.match(network)) ? 'private' : 'public';
}
