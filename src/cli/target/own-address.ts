import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../contract/vocabulary/parsers/loopback.js';

/** Addresses on which a server listens on all interfaces. */
const UNSPECIFIED = new Set(['0.0.0.0', '::']);

/** Returns whether an address stands for all interfaces. */
export function isUnspecified(address: string): boolean {
  return UNSPECIFIED.has(address);
}

/** Returns whether a host is this machine: `localhost`, a loopback address, or an address of one of its interfaces. */
export function isOwnAddress(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (address === 'localhost') return true;
  // Another name may resolve to another machine.
  if (isIP(address) === 0) return false;
  if (isLoopback(address) || isUnspecified(address)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}
