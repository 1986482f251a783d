import { createHmac, timingSafeEqual } from 'node:crypto';

/** Lower-case hexadecimal HMAC-SHA256 of exactly these bytes. Specification: Events, Delivery rules, 5. */
export function signatureOf(payload: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex');
}

/** Compares two signatures in a time that does not tell where they differ. */
export function sameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
