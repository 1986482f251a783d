import { type FieldName, fieldNames, formOf, isFieldName } from '../../../../contract/vocabulary/query/fields.js';
import { formatCondition, formatQuery } from '../../../../contract/vocabulary/query/format-query.js';
import { parseQuery } from '../../../../contract/vocabulary/query/parse-query.js';
import { operatorHint, type Query, type QueryField } from '../../../../contract/vocabulary/query/query.js';
import { QueryError } from '../../../../contract/vocabulary/query/query-error.js';

/** Reads and changes the query of a search box. */

/** Returns what is wrong with a query; undefined if it is valid. */
export function queryProblem(text: string): QueryError | undefined {
  try {
    parseQuery(text);
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Returns what the user may have meant with a valid query that matches nothing. */
export function queryHint(text: string): string | undefined {
  return queryProblem(text) ? undefined : operatorHint(parseQuery(text));
}

/** Returns the word or the text of a field that the query requires; undefined if it requires none, or a pattern. */
export function requiredValue(text: string, field: 'status' | 'recipient' | 'is' | 'from' | 'tag'): string | undefined {
  const term = requiredTerms(text).find((each) => each.kind === 'condition' && each.field === field);
  if (term?.kind !== 'condition') return undefined;
  if ('word' in term) return term.word;
  return 'pattern' in term && term.pattern.kind === 'contains' ? term.pattern.text : undefined;
}

/** Returns the query with another required value of a field, or without one. */
export function withRequired(text: string, field: QueryField & FieldName, value: string | undefined): string {
  if (queryProblem(text)) return text;
  const others = requiredTerms(text).filter((term) => term.kind !== 'condition' || term.field !== field);
  const kept = formatQuery({ kind: 'and', terms: others });
  const added = value === undefined ? '' : formatCondition(field === 'recipient' ? 'to' : field, value);
  return [kept, added].filter(Boolean).join(' ');
}

function requiredTerms(text: string): readonly Query[] {
  if (queryProblem(text)) return [];
  const query = parseQuery(text);
  return query.kind === 'and' ? query.terms : [query];
}

export interface Completion {
  /** What replaces the word at the cursor. */
  text: string;
  label: string;
  description: string;
}

const MAX = 8;

/** Returns the word before a position, and what could complete it. */
export function completionsAt(text: string, position: number): { start: number; completions: Completion[] } {
  const before = text.slice(0, position);
  const word = before.split(/[\s()"]/).at(-1) ?? '';
  const negated = word.startsWith('-') ? '-' : '';
  const bare = word.slice(negated.length);
  const start = position - bare.length;
  const isQuoted = (before.match(/"/g)?.length ?? 0) % 2 === 1;
  if (bare === '' || isQuoted) return { start, completions: [] };
  const [name = '', value] = bare.toLowerCase().split(':', 2);
  if (value === undefined) return { start, completions: fieldsLike(name) };
  const words = isFieldName(name) ? (formOf(name).words ?? []) : [];
  const completions = words
    .filter((each) => each.startsWith(value) && each !== value)
    .map((each) => ({ text: `${name}:${each} `, label: `${name}:${each}`, description: '' }));
  return { start, completions: completions.slice(0, MAX) };
}

function fieldsLike(start: string): Completion[] {
  return fieldNames
    .filter((name) => name.startsWith(start))
    .slice(0, MAX)
    .map((name) => ({
      text: `${name}:`,
      label: `${name}:`,
      description: `${formOf(name).description}: ${formOf(name).example}`,
    }));
}
