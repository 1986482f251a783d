/** Parses sizes such as `500MB`. */

const UNIT_BYTES: Record<string, number> = {
  b: 1,
  kb: 1_000,
  mb: 1_000 ** 2,
  gb: 1_000 ** 3,
  tb: 1_000 ** 4,
  kib: 1_024,
  mib: 1_024 ** 2,
  gib: 1_024 ** 3,
  tib: 1_024 ** 4,
};

const SIZE = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?i?b)?$/i;

export const BYTE_SIZE_FORM = 'a size such as 100kB, 500MB or 8GiB';

/** Returns the number of bytes of `500MB`, `8GiB` or `1024`; undefined if it is invalid or less than one byte. */
export function readByteSize(text: string): number | undefined {
  const [, count, unit = 'b'] = SIZE.exec(text) ?? [];
  const bytes = Math.floor(Number(count) * (UNIT_BYTES[unit.toLowerCase()] ?? Number.NaN));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
