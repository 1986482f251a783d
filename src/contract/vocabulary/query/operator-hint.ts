import { conditionsOf, type Query } from './query.js';

/** Returns a hint for a query with an operator in lower case, which is a word to search for; undefined without one. */
export function operatorHint(query: Query): string | undefined {
  const word = conditionsOf(query).find(({ field, source }) => field === 'any' && /^(?:or|and)$/.test(source))?.source;
  return word && `"${word}" is searched for as a word; the operator is ${word.toUpperCase()}.`;
}
