import { randomBytes, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Ids } from '../core/ports.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's length in a byte: bytes from here on would favour its first letters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/**
 * Creates ids: ULIDs in lower case, unique, in order of creation, with 80 random bits for the first of each
 * millisecond.
 */
export function createIds(): Ids {
  const next = monotonicFactory(createRandom());
  return {
    next: (prefix, now) => `${prefix}_${next(now).toLowerCase()}`,
    secret(characters) {
      let text = '';
      while (text.length < characters) {
        for (const byte of randomBytes(characters)) {
          if (byte < UNBIASED_BELOW && text.length < characters) text += ALPHABET[byte % ALPHABET.length];
        }
      }
      return text;
    },
  };
}

/** The number of random bytes per request: a request costs more than the bytes. */
const POOL_BYTES = 4_096;

/** Returns random fractions with 8 bits: ulid creates a letter of 5 bits from each. */
function createRandom(): () => number {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used] ?? 0;
    used += 1;
    return byte / 256;
  };
}
