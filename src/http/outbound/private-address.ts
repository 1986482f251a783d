import ipaddr from 'ipaddr.js';

/**
 * Networks that ipaddr.js considers public and that webhooks must not reach: Azure serves the platform of its virtual
 * machines on a public address.
 */
const ALSO_PRIVATE = [ipaddr.parseCIDR('168.63.129.16/32')];

/** The IPv6 addresses that IANA assigns for the public internet. All others are reserved, or contain an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Returns whether webhooks must not reach an address, because it is in IANA's special-purpose registries. Loopback is
 * allowed.
 */
export function isPrivateAddress(text: string): boolean {
  const [bare = ''] = text.split('%', 1);
  if (!ipaddr.isValid(bare)) return true;
  // Converts an IPv4-mapped IPv6 address to the IPv4 address.
  const address = ipaddr.process(bare);
  const range = address.range();
  if (range === 'loopback') return false;
  if (range !== 'unicast') return true;
  if (address.kind() === 'ipv6') return !address.match(GLOBAL_IPV6);
  return ALSO_PRIVATE.some((network) => address.match(network));
}
