import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the HMAC-SHA256 of these bytes in lower-case hexadecimal. Specification: Events, Delivery rules, 5. */
export function signatureOf(payload: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex');
}

/** Compares two signatures in constant time, so that the time reveals nothing about the expected one. */
export function sameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
