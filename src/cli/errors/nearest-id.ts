import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';

/** How much of an id tells it from others: beyond its prefix and what all of one day have in common. */
const PREFIX_CHARACTERS = 8;
/** Ids of one millisecond are counted up, so they differ in their last letters alone. */
const COUNTED_CHARACTERS = 4;
/** The letters of a ULID; i, l, o and u are none of them. */
const ULID = /^[a-z]+_[0-9a-hjkmnp-tv-z]+$/;

/** The id that was meant by what cannot be another one; undefined when none, or more than one, may have been. */
export function nearestId(typed: string, ids: readonly string[]): string | undefined {
  if (ids.includes(typed)) return undefined;
  const [found, ...others] = ids.filter((id) => isSlip(typed, id));
  return others.length === 0 ? found : undefined;
}

function isSlip(typed: string, id: string): boolean {
  const letters = typed.toLowerCase();
  if (letters === id.toLowerCase()) return true;
  if (typed.length >= PREFIX_CHARACTERS && id.startsWith(typed)) return true;
  // One letter added, dropped, replaced, or swapped with its neighbour.
  if (nearestName(typed, [id], 1) === undefined) return false;
  return mayBeAnother(letters, id) ? isSwapped(letters, id) : true;
}

/** Whether it has the form of an id, so that it may be one that is gone, or of another server. */
function mayBeAnother(letters: string, id: string): boolean {
  return letters.length === id.length && (ULID.test(letters) || !ULID.test(id));
}

/** Two neighbours the other way round, before what is counted up. */
function isSwapped(letters: string, id: string): boolean {
  const sameLetters = [...letters].sort().join('') === [...id].sort().join('');
  return sameLetters && letters.slice(-COUNTED_CHARACTERS) === id.slice(-COUNTED_CHARACTERS);
}
