import ipaddr from 'ipaddr.js';

/**
 * Networks that ipaddr.js takes for public and that a webhook must not reach all the same: the platform service of Azure's
 * virtual machines, which answers on a public address.
 */
const ALSO_PRIVATE = [ipaddr.parseCIDR('168.63.129.16/32')];

/** All that IANA gives out for the public internet. The rest of IPv6 is reserved, or carries IPv4 addresses of any kind. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Returns whether an address belongs to a network that a webhook must not reach: everything in IANA's special-purpose
 * registries. Loopback does not.
 */
export function isPrivateAddress(text: string): boolean {
  const [bare = ''] = text.split('%', 1);
  if (!ipaddr.isValid(bare)) return true;
  // An IPv4 address in IPv6's form for it is that IPv4 address.
  const address = ipaddr.process(bare);
  const range = address.range();
  if (range === 'loopback') return false;
  if (range !== 'unicast') return true;
  if (address.kind() === 'ipv6') return !address.match(GLOBAL_IPV6);
  return ALSO_PRIVATE.some((network) => address.match(network));
}
