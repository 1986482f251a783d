import { searchForm } from '../../../contract/vocabulary/helpers/search-form.js';
import type { Query } from '../../../contract/vocabulary/query/query.js';
import { textsOfCondition } from '../../common/search/texts.js';
import { likeText } from '../statements/sql.js';

/** An SQL condition on a row of `search`. */
export interface TextCondition {
  sql: string;
  values: string[];
  /** Whether an index finds its rows: it finds texts of three characters or more. */
  isIndexed: boolean;
}

const INDEXED_MIN = 3;

/**
 * Returns the condition of a query on the indexed texts: it is true for every email that matches, and usually for
 * others. Undefined if the texts cannot narrow the query.
 */
export function textCondition(query: Query): TextCondition | undefined {
  if (query.kind === 'condition') {
    const found = textsOfCondition(query);
    return found && containing(found.texts.map(searchForm).filter(Boolean), found.parts);
  }
  // An email that does not match may have the text elsewhere.
  if (query.kind === 'not') return undefined;
  const terms = query.terms.map(textCondition);
  const known = terms.filter((term) => term !== undefined);
  if (known.length === 0 || (query.kind === 'or' && known.length < terms.length)) return undefined;
  const isAnd = query.kind === 'and';
  return {
    sql: `(${known.map(({ sql }) => sql).join(isAnd ? ' AND ' : ' OR ')})`,
    values: known.flatMap(({ values }) => values),
    isIndexed: isAnd ? known.some(({ isIndexed }) => isIndexed) : known.every(({ isIndexed }) => isIndexed),
  };
}

function containing(texts: readonly string[], parts: readonly string[]): TextCondition | undefined {
  if (texts.length === 0) return undefined;
  const patterns = texts.map((text) => `%${likeText(text)}%`);
  return {
    sql: `(${patterns.map(() => `(${parts.map((part) => `search.${part} LIKE ?`).join(' OR ')})`).join(' AND ')})`,
    values: patterns.flatMap((pattern) => parts.map(() => pattern)),
    isIndexed: texts.some((text) => [...text].length >= INDEXED_MIN),
  };
}
