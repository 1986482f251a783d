/** Defines a parsed query over captured emails. `parseQuery` makes it from text, and both evaluators read it. */

/** How a text is compared. All comparisons ignore case, except a regular expression without the flag `i`. */
export type Pattern =
  | { kind: 'contains'; text: string }
  /**
   * The literal texts between the `*`, of which there is at least one, so `a*` is `['a', '']`. They match the whole
   * value, with any text between them; in free text (`any`), a part of it.
   */
  | { kind: 'glob'; parts: string[] }
  /** Matches a part of the value. The syntax is RE2's. */
  | { kind: 'regex'; source: string; ignoreCase: boolean };

/** The fields whose value is a pattern. `any` is free text, without a field. */
export type PatternField =
  | 'any'
  | 'from'
  | 'cc'
  | 'bcc'
  /** Written as `to` or `recipient`. */
  | 'recipient'
  | 'subject'
  | 'text'
  | 'tag'
  | 'attachment'
  | 'message-id'
  | 'id'
  | 'template'
  | 'workspace'
  | 'dropped';

/** The fields whose value is one of a list of words. */
export type WordField = 'status' | 'is' | 'has' | 'origin' | 'event';

/** An instant, or a duration before the time of the search. Both in milliseconds. */
export type TimeValue = { at: number } | { ago: number };

/**
 * One condition, with the text that it was written as. `position` is that text's, from 0, in UTF-16 code units, and
 * `column` the same as people count: from 1, in characters.
 */
export type Condition = { kind: 'condition'; source: string; position: number; column: number } & (
  | { field: PatternField; pattern: Pattern }
  | { field: 'header'; name: string; pattern: Pattern }
  | { field: WordField; word: string }
  | { field: 'before' | 'after'; time: TimeValue }
  | { field: 'larger' | 'smaller'; bytes: number }
);

/** The fields of a parsed query. */
export type QueryField = Condition['field'];

/** An `and` without terms matches every email. */
export type Query = { kind: 'and' | 'or'; terms: readonly Query[] } | { kind: 'not'; term: Query } | Condition;

/** Returns the conditions of a query, in their order. */
export function conditionsOf(query: Query): Condition[] {
  if (query.kind === 'condition') return [query];
  return query.kind === 'not' ? conditionsOf(query.term) : query.terms.flatMap(conditionsOf);
}

/** Returns a hint for a query with an operator in lower case, which is a word to search for; undefined without one. */
export function operatorHint(query: Query): string | undefined {
  const word = conditionsOf(query).find(({ field, source }) => field === 'any' && /^(?:or|and)$/.test(source))?.source;
  return word && `"${word}" is searched for as a word; the operator is ${word.toUpperCase()}.`;
}
