import { randomBytes } from 'node:crypto';

/** Returns a part of names that no other process makes. */
export function uniqueName(): string {
  return randomBytes(8).toString('hex');
}

/** Returns an address that no other inbox has, also in another process that uses the same server. */
export function uniqueAddress(domain: string): string {
  return `inbox-${uniqueName()}@${domain}`;
}
