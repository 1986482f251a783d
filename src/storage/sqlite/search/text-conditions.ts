import type { Condition, Query } from '../../../contract/vocabulary/query/query.js';
import { textsOfCondition } from '../../common/search/texts.js';
import { containing, hasTrigram, type Terms } from './trigrams.js';

export type { Terms } from './trigrams.js';

/**
 * Returns an FTS5 expression for a query: it finds every email that matches, and usually others. Undefined if the index
 * cannot narrow the query.
 */
export function textExpression(query: Query, terms: Terms): string | undefined {
  if (query.kind === 'condition') return conditionExpression(query, terms);
  // The emails that do not match are not in the index.
  if (query.kind === 'not') return undefined;
  const expressions = query.terms.map((term) => textExpression(term, terms));
  if (query.kind === 'or') {
    if (expressions.length === 0 || expressions.includes(undefined)) return undefined;
    return `(${expressions.join(' OR ')})`;
  }
  const known = expressions.filter((expression) => expression !== undefined);
  return known.length === 0 ? undefined : `(${known.join(' AND ')})`;
}

/** Returns whether the index can narrow a query. */
export function isInIndex(query: Query): boolean {
  return textExpression(query, { frequency: () => 1, beginningWith: () => [] }) !== undefined;
}

function conditionExpression(condition: Condition, terms: Terms): string | undefined {
  const found = textsOfCondition(condition);
  if (!found) return undefined;
  const { parts, texts } = found;
  const long = texts.filter(hasTrigram);
  // Short texts are worth reading only on their own.
  const expressions = (long.length > 0 ? long : texts)
    .map((text) => containing(text, parts, terms))
    .filter((expression) => expression !== undefined);
  return expressions.length === 0 ? undefined : `(${expressions.join(' AND ')})`;
}
