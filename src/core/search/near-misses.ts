import { formatQuery } from '../../contract/vocabulary/query/format-query.js';
import type { Query } from '../../contract/vocabulary/query/query.js';
import type { SearchDocument } from '../model/search.js';
import { actualOf } from './actual-value.js';
import { addressDistance } from './address-distance.js';
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
