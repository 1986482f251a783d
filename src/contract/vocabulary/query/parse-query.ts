import { BYTE_SIZE_FORM, readByteSize } from '../byte-size.js';
import { DURATION_FORM, readDuration } from '../durations.js';
import { DATE_FORM, readInstant } from '../instants.js';
import { utf8Length } from '../text.js';
import { type FieldName, formOf, QUERY_BYTES, QUERY_CONDITIONS, QUERY_DEPTH } from './fields.js';
import type { Condition, Pattern, PatternField, Query, TimeValue, WordField } from './query.js';
import { placeIn, QueryError, quotedPart, unknownWord } from './query-error.js';
import { type Term, type Token, Tokenizer, type Value } from './tokens.js';

/**
 * Parses a query. An empty one matches every email. A space binds more closely than `OR`: `a b OR c` is `(a b) OR c`.
 * @throws QueryError with the position of the problem.
 */
export function parseQuery(text: string): Query {
  if (text.length > QUERY_BYTES || utf8Length(text) > QUERY_BYTES) {
    throw new QueryError(placeIn(text, 0), 'query is too long', `at most ${QUERY_BYTES} bytes in UTF-8`);
  }
  return new Parser(text).parse();
}

class Parser {
  readonly #tokens: Tokenizer;
  #token: Token;
  #conditions = 0;

  constructor(private readonly text: string) {
    this.#tokens = new Tokenizer(text);
    this.#token = this.#tokens.next();
  }

  parse(): Query {
    if (this.#token.kind === 'end') return { kind: 'and', terms: [] };
    const query = this.#alternatives(0);
    const { kind, position } = this.#token;
    if (kind !== ')') return query;
    throw this.#error(position, 'unexpected )', 'a condition or the end', PARENTHESIS_HINT);
  }

  #alternatives(depth: number): Query {
    const terms = [this.#conjunction(depth)];
    while (this.#token.kind === 'OR') {
      this.#advance();
      terms.push(this.#conjunction(depth));
    }
    return joined('or', terms);
  }

  #conjunction(depth: number): Query {
    const terms = [this.#negatable(depth)];
    for (;;) {
      const { kind } = this.#token;
      if (kind === 'end' || kind === ')' || kind === 'OR') return joined('and', terms);
      if (kind === 'AND') this.#advance();
      terms.push(this.#negatable(depth));
    }
  }

  #negatable(depth: number): Query {
    const { kind, position } = this.#token;
    if (kind !== '-') return this.#operand(depth);
    const next = this.#advance();
    if (next.position === position + 1 && (next.kind === 'term' || next.kind === '(')) {
      return { kind: 'not', term: this.#operand(depth) };
    }
    throw this.#error(position + 1, 'missing condition', 'a condition directly after -', DASH_HINT);
  }

  #operand(depth: number): Query {
    const token = this.#token;
    if (token.kind === 'term') {
      this.#conditions += 1;
      if (this.#conditions > QUERY_CONDITIONS) {
        throw this.#error(token.position, 'too many conditions', `at most ${QUERY_CONDITIONS}`);
      }
      this.#advance();
      return conditionOf(this.text, token);
    }
    if (token.kind === '(') return this.#group(token.position, depth + 1);
    const found = token.kind === 'end' || token.kind === '-' ? '' : ` before ${token.kind}`;
    const hint = token.kind === 'OR' || token.kind === 'AND' ? OPERATOR_HINT : undefined;
    throw this.#error(token.position, `missing condition${found}`, 'a condition', hint);
  }

  #group(opening: number, depth: number): Query {
    if (depth > QUERY_DEPTH) throw this.#error(opening, 'too many parentheses', `at most ${QUERY_DEPTH} levels`);
    this.#advance();
    const query = this.#alternatives(depth);
    if (this.#token.kind !== ')') {
      throw this.#error(opening, 'parenthesis is not closed', 'a ) after it', PARENTHESIS_HINT);
    }
    this.#advance();
    return query;
  }

  #advance(): Token {
    this.#token = this.#tokens.next();
    return this.#token;
  }

  #error(position: number, problem: string, expected: string, hint?: string): QueryError {
    return new QueryError(placeIn(this.text, position), problem, expected, hint);
  }
}

/** Merges nested terms of the same kind, so that each condition that must hold is a term of the outermost `and`. */
function joined(kind: 'and' | 'or', terms: Query[]): Query {
  const [only] = terms;
  if (only && terms.length === 1) return only;
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) };
}

const PARENTHESIS_HINT = 'To search for a parenthesis, quote it.';
const DASH_HINT = 'To search for a dash, quote it: "-".';
const OPERATOR_HINT = 'To search for the word itself, quote it.';

/** Converts a term to a condition: reads its value as its field requires. */
function conditionOf(query: string, term: Term): Condition {
  const { source, position, field, value } = term;
  const about = { kind: 'condition' as const, source, ...placeIn(query, position) };
  if (field === 'header')
    return { ...about, field, name: (term.header ?? '').toLowerCase(), pattern: patternOf(value) };
  if (field === 'any') return { ...about, field, pattern: patternOf(value) };
  switch (formOf(field).kind) {
    case 'word':
      return { ...about, field: field as WordField, word: wordOf(query, field, value) };
    case 'time':
      return { ...about, field: field as 'before', time: timeOf(query, field, value) };
    case 'size':
      return { ...about, field: field as 'larger', bytes: sizeOf(query, field, value) };
    default:
      return { ...about, field: field === 'to' ? 'recipient' : (field as PatternField), pattern: patternOf(value) };
  }
}

/** Without a value, any text matches. */
function patternOf(value: Value | undefined): Pattern {
  if (value === undefined) return { kind: 'glob', parts: ['', ''] };
  if (value.kind === 'regex') return { kind: 'regex', source: value.source, ignoreCase: value.ignoreCase };
  const [text = '', ...others] = value.parts;
  return others.length === 0 ? { kind: 'contains', text } : { kind: 'glob', parts: value.parts };
}

function wordOf(query: string, field: FieldName, value: Value | undefined): string {
  const written = textOf(query, field, `one of ${formOf(field).words?.join(', ')}`, value);
  const word = formOf(field).words?.find((known) => known === written.toLowerCase());
  if (word === undefined) throw unknownWord(query, value?.position ?? 0, field, written);
  return word;
}

function timeOf(query: string, field: FieldName, value: Value | undefined): TimeValue {
  const form = `${DATE_FORM}, or ${DURATION_FORM}`;
  const text = textOf(query, field, form, value);
  const instant = readInstant(text);
  if (instant) return { at: instant.at };
  const ago = readDuration(text);
  if (ago === undefined) throw invalid(query, value, `invalid time ${quotedPart(text)}`, form);
  return { ago };
}

function sizeOf(query: string, field: FieldName, value: Value | undefined): number {
  const text = textOf(query, field, BYTE_SIZE_FORM, value);
  const bytes = readByteSize(text);
  if (bytes === undefined) throw invalid(query, value, `invalid size ${quotedPart(text)}`, BYTE_SIZE_FORM);
  return bytes;
}

function textOf(query: string, field: FieldName, expected: string, value: Value | undefined): string {
  if (value?.kind === 'text') return value.parts.join('*');
  throw invalid(query, value, `"${field}:" does not support regular expressions`, expected);
}

function invalid(query: string, value: Value | undefined, problem: string, expected: string): QueryError {
  return new QueryError(placeIn(query, value?.position ?? 0), problem, expected);
}
