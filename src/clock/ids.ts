import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Ids } from '../core/ports.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's length in a byte: bytes from here on would favour its first letters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** Ids are ULIDs in lower case: unique, in order of making, 80 random bits within a millisecond's first. */
export function createIds(): Ids {
  const next = monotonicFactory();
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
