import { lookup } from 'node:dns';
import ipaddr from 'ipaddr.js';

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
