import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromStored, toStored } from '../../../src/storage/postgres/statements/inserts.js';

const piece = fc.constantFrom('\0', '\uf8ff', '0', '1', 'a', 'é', '👋');
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

it('are stored without U+0000, and read as they were', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(toStored(value)).not.toContain('\0');
      expect(fromStored(toStored(value))).toBe(value);
    }),
  );
});

it('lose a mark whose second character was cut off', () => {
  expect(fromStored(toStored('ab\0').slice(0, 3))).toBe('ab');
});
