import { BYTE_SIZE_FORM, readByteSize } from '../parsers/byte-size.js';
import { DURATION_FORM, readDuration } from '../parsers/duration.js';
import { DATE_FORM, readInstant } from '../parsers/instant.js';
import { type FieldName, formOf } from './fields.js';
import type { Condition, Pattern, PatternField, TimeValue, WordField } from './query.js';
import { placeIn, QueryError, quotedPart } from './query-error.js';
import { unknownWord } from './suggestions.js';
import type { Term, Value } from './tokens.js';

/** Converts a term to a condition: reads its value as its field requires. */
export function conditionOf(query: string, term: Term): Condition {
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
