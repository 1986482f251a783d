import type { Condition, Pattern, Query } from '../../../contract/vocabulary/query/query.js';
import { literalsOf } from './regex-literals.js';
import { containing, type Frequency, type IndexedPart } from './trigrams.js';

const HEAD: readonly IndexedPart[] = ['subject', 'address'];

/** The parts of the index with the texts that a field is compared with. */
const partsOfField: Partial<Record<Condition['field'], readonly IndexedPart[]>> = {
  any: [...HEAD, 'content'],
  subject: ['subject'],
  text: ['content'],
  from: ['address'],
  to: ['address'],
  cc: ['address'],
  bcc: ['address'],
  recipient: ['address'],
  dropped: ['address'],
  attachment: ['address'],
  'message-id': ['address'],
};

/**
 * Returns an FTS5 expression for a query: it finds every email that matches, and usually others. Undefined if the index
 * cannot narrow the query.
 */
export function textExpression(query: Query, frequency: Frequency): string | undefined {
  if (query.kind === 'condition') return conditionExpression(query, frequency);
  // The emails that do not match are not in the index.
  if (query.kind === 'not') return undefined;
  const expressions = query.terms.map((term) => textExpression(term, frequency));
  if (query.kind === 'or') {
    if (expressions.length === 0 || expressions.includes(undefined)) return undefined;
    return `(${expressions.join(' OR ')})`;
  }
  const known = expressions.filter((expression) => expression !== undefined);
  return known.length === 0 ? undefined : `(${known.join(' AND ')})`;
}

function conditionExpression(condition: Condition, frequency: Frequency): string | undefined {
  const parts = partsOfField[condition.field];
  if (!parts || !('pattern' in condition)) return undefined;
  const texts = textsOf(condition.pattern, condition.field === 'message-id');
  const expressions = texts
    .map((text) => containing(text, parts, frequency))
    .filter((expression) => expression !== undefined);
  return expressions.length === 0 ? undefined : `(${expressions.join(' AND ')})`;
}

/** Returns texts that every match of a pattern contains. */
function textsOf(pattern: Pattern, isMessageId: boolean): readonly string[] {
  if (pattern.kind === 'regex') return literalsOf(pattern.source);
  if (pattern.kind === 'glob') return pattern.parts;
  return [isMessageId ? pattern.text.replace(/^<([\s\S]*)>$/, '$1') : pattern.text];
}
