import { randomBytes } from 'node:crypto';

/** Returns an address that no other inbox has, also in another process that uses the same server. */
export function uniqueAddress(): string {
  return `inbox-${randomBytes(8).toString('hex')}@example.test`;
}
