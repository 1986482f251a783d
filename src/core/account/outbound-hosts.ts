import type { Access } from '../../contract/vocabulary/access.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';

/** Hosts beyond the public internet that webhooks and checks of links may reach. Decision 150. */
export interface OutboundHosts {
  /** Hosts that the operator allows, in the form of URLs. */
  allowed: ReadonlySet<string>;
  /** Whether all loopback hosts are allowed. */
  loopback: boolean;
}

/** Returns the hosts that a server may reach. The callers of a server for a team must not reach its own machine. */
export function outboundHosts(allowed: readonly string[] | undefined, access: Access): OutboundHosts {
  return { allowed: new Set(allowed), loopback: access === 'local' };
}

/** Returns whether a host may be reached at a loopback address. IPv6 addresses may lack the brackets of a URL. */
export function mayReachLoopback(host: string, { allowed, loopback }: OutboundHosts): boolean {
  return loopback || allowed.has(host) || allowed.has(`[${host}]`);
}

/** Returns why a host must not be reached, before its address is known; undefined if it may be. */
export function loopbackProblem(host: string, hosts: OutboundHosts): string | undefined {
  return isLoopback(host) && !mayReachLoopback(host, hosts) ? `${host} is ${OWN_MACHINE}` : undefined;
}

export const OWN_MACHINE = 'on the machine of the server (loopback)';

/** Returns how to allow a host. */
export function toAllowHost(host: string): string {
  return `start the server with --allow-webhook-host ${host}`;
}
