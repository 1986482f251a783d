import { randomBytes, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Ids } from '../core/ports.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's length in a byte: bytes from here on would favour its first letters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** Ids are ULIDs in lower case: unique, in order of making, 80 random bits within a millisecond's first. */
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

/** How many random bytes are asked for at once: asking costs more than the bytes. */
const POOL_BYTES = 4_096;

/** Random fractions, 8 bits fine: ulid makes a letter of 5 bits from each. */
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
