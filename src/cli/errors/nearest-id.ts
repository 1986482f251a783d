import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';

/** Minimum length of a typed beginning of an id: the prefix, and the characters that ids of the same day share. */
const PREFIX_CHARACTERS = 8;
/** Minimum length of a typed end of an id. */
export const SUFFIX_CHARACTERS = 6;
/** Ids of the same millisecond are consecutive numbers, so only their last characters differ. */
const COUNTED_CHARACTERS = 4;
/** The form of a ULID. The letters i, l, o and u are not used. */
const ULID = /^[a-z]+_[0-9a-hjkmnp-tv-z]+$/;

/** Returns the id that a mistyped one was meant to be; undefined when no id, or more than one, is possible. */
export function nearestId(typed: string, ids: readonly string[]): string | undefined {
  if (ids.includes(typed)) return undefined;
  const [found, ...others] = ids.filter((id) => isSlip(typed, id));
  return others.length === 0 ? found : undefined;
}

function isSlip(typed: string, id: string): boolean {
  const letters = typed.toLowerCase();
  if (letters === id.toLowerCase()) return true;
  if (typed.length >= PREFIX_CHARACTERS && id.startsWith(typed)) return true;
  if (typed.length >= SUFFIX_CHARACTERS && id.endsWith(letters)) return true;
  // One character added, removed, replaced, or swapped with its neighbour.
  if (nearestName(typed, [id], 1) === undefined) return false;
  return mayBeAnother(letters, id) ? isSwapped(letters, id) : true;
}

/** Returns whether the text has the form of an id. It may then be a deleted one, or one of another server. */
function mayBeAnother(letters: string, id: string): boolean {
  return letters.length === id.length && (ULID.test(letters) || !ULID.test(id));
}

/** Returns whether only two adjacent characters are swapped, before the consecutive number. */
function isSwapped(letters: string, id: string): boolean {
  const sameLetters = [...letters].sort().join('') === [...id].sort().join('');
  return sameLetters && letters.slice(-COUNTED_CHARACTERS) === id.slice(-COUNTED_CHARACTERS);
}
