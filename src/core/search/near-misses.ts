import { editDistance } from '../../contract/vocabulary/nearest-name.js';
import { formatQuery } from '../../contract/vocabulary/query/format-query.js';
import type { Condition, Query } from '../../contract/vocabulary/query/query.js';
import type { SearchDocument } from '../model/search.js';
import { actualOf } from './actual-value.js';
import type { CompiledQuery } from './compile-query.js';
import { SearchedEmail } from './searched-email.js';

/** A condition of a query that an email fails. */
export interface FailedCondition {
  /** As written in the query. */
  condition: string;
  /** What the email has instead: one line without control characters. */
  actual: string;
}

/** An email that does not match a query, and why. */
export interface Miss {
  document: SearchDocument;
  failed: FailedCondition[];
  /** How much its addresses differ from those of the conditions that it fails. */
  distance: number;
}

/** Returns each of the conditions that must all hold and that the email fails; none if it matches. */
export function failedConditions(query: CompiledQuery, document: SearchDocument): FailedCondition[] {
  return failedTerms(query, document).map((term) => ({
    condition: formatQuery(term),
    actual: actualOf(term, document),
  }));
}

function failedTerms({ terms }: CompiledQuery, document: SearchDocument): Query[] {
  const email = SearchedEmail.of(document);
  return terms.filter(({ test }) => test(email) !== true).map(({ term }) => term);
}

/**
 * Returns the emails that do not match, closest first: those with the fewest failed conditions, then those with the most
 * similar addresses, then the newest.
 */
export function nearMisses(query: CompiledQuery, documents: readonly SearchDocument[], limit: number): Miss[] {
  return documents
    .map((document) => {
      const distance = addressDistance(failedTerms(query, document), document);
      return { document, failed: failedConditions(query, document), distance };
    })
    .filter(({ failed }) => failed.length > 0)
    .sort((a, b) => a.failed.length - b.failed.length || a.distance - b.distance || b.document.seq - a.document.seq)
    .slice(0, limit);
}

/** Finds out how much the addresses of an email differ from those that a query names, for a typo in one of them. */

/** Edits between two addresses of different people. */
const DIFFERENT = 8;

/** Returns the edits between the addresses of conditions and the closest ones of the email, at most 8 for each. */
function addressDistance(conditions: readonly Query[], document: SearchDocument): number {
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
