import { editDistance } from '../../contract/vocabulary/helpers/nearest-name.js';
import type { Condition, Query } from '../../contract/vocabulary/query/query.js';
import type { SearchDocument } from '../model/search.js';

/** Finds out how much the addresses of an email differ from those that a query names, for a typo in one of them. */

/** Edits between two addresses of different people. */
const DIFFERENT = 8;

/** Returns the edits between the addresses of conditions and the closest ones of the email, at most 8 for each. */
export function addressDistance(conditions: readonly Query[], document: SearchDocument): number {
  return conditions
    .flatMap(wantedBy)
    .map((condition) => distanceOf(condition, document))
    .reduce((sum, distance) => sum + distance, 0);
}

/** Returns the conditions of a query, without those below `not`: an email that fails them has what they name. */
function wantedBy(query: Query): Condition[] {
  if (query.kind === 'condition') return [query];
  return query.kind === 'not' ? [] : query.terms.flatMap(wantedBy);
}

/** Recipients of an email that are compared. */
const RECIPIENTS = 50;

function distanceOf(condition: Condition, document: SearchDocument): number {
  const addresses = addressesOf(condition, document);
  if (addresses === undefined || !('pattern' in condition) || condition.pattern.kind !== 'contains') return 0;
  const wanted = comparable(condition.pattern.text);
  const few = addresses.slice(0, RECIPIENTS);
  return Math.min(DIFFERENT, ...few.map((address) => editDistance(wanted, comparable(shortAddress(address)))));
}

function addressesOf({ field }: Condition, { from, recipients }: SearchDocument): readonly string[] | undefined {
  if (field === 'from') return [from];
  if (field === 'recipient') return recipients.map(({ address }) => address);
  if (field !== 'cc' && field !== 'bcc') return undefined;
  return recipients.filter(({ kind }) => kind === field).map(({ address }) => address);
}

/** Returns an address without its name, which may follow any text. */
function shortAddress(text: string): string {
  const start = text.lastIndexOf('<');
  return start >= 0 && text.endsWith('>') ? text.slice(start + 1, -1) : text;
}

/** Characters that are compared. */
const COMPARED = 100;

function comparable(address: string): string {
  return address.slice(0, COMPARED).toLowerCase();
}
