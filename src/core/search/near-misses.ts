import { formatQuery } from '../../contract/vocabulary/query/format-query.js';
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
}

/** Returns each of the conditions that must all hold and that the email fails; none if it matches. */
export function failedConditions({ terms }: CompiledQuery, document: SearchDocument): FailedCondition[] {
  const email = SearchedEmail.of(document);
  return terms
    .filter(({ test }) => test(email) !== true)
    .map(({ term }) => ({ condition: formatQuery(term), actual: actualOf(term, document) }));
}

/** Returns the emails that do not match, closest first: those with the fewest failed conditions, then the newest. */
export function nearMisses(query: CompiledQuery, documents: readonly SearchDocument[], limit: number): Miss[] {
  return documents
    .map((document) => ({ document, failed: failedConditions(query, document) }))
    .filter(({ failed }) => failed.length > 0)
    .sort((a, b) => a.failed.length - b.failed.length || b.document.seq - a.document.seq)
    .slice(0, limit);
}
