import { nearestName } from '../contract/vocabulary/helpers/nearest-name.js';

/** Returns the error for a name that does not exist, with the one that was probably meant. */
export function unknownName(name: string, kind: string, known: readonly string[]): TypeError {
  const meant = nearestName(name, known);
  const question = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new TypeError(`"${name}" is not ${kind}.${question} Use ${known.join(', ')}.`);
}
