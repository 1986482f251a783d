import { type FieldName, formOf } from './fields.js';
import type { Pattern, Query } from './query.js';

/** Writes queries, so that commands and the test kit can build them from values. */

/** A regular expression of JavaScript, or parts of it. */
interface RegExpLike {
  source: string;
  flags: string;
}

/** A text that needs no quotes. It does not start like a regular expression or a negation. */
const BARE = /^[\p{L}\p{N}@._+][\p{L}\p{N}@._+=-]*$/u;
const BARE_SIZE_OR_TIME = /^[\p{L}\p{N}][\p{L}\p{N}:.+-]*$/u;
const OPERATOR = /^(?:OR|AND|NOT)$/;

/**
 * Returns a condition that `parseQuery` reads back: a text is taken literally, also one with `*`, quotes or slashes.
 * `any` is free text. The flags g, y, d, u and v of a regular expression have no effect.
 */
export function formatCondition(field: FieldName | 'any', value: string | RegExpLike | Pattern): string {
  const text = formatValue(field, value);
  return field === 'any' ? text : `${field}:${text}`;
}

/** Returns a condition on a header field; without a value, that the field exists. */
export function formatHeader(name: string, value?: string | RegExpLike | Pattern): string {
  return value === undefined ? `header:${name}` : `header:${name}=${formatValue('header', value)}`;
}

/** Returns a query that matches what all of these queries match. */
export function allOf(queries: readonly string[]): string {
  const parts = queries.map((query) => query.trim()).filter((query) => query !== '');
  return parts.length > 1
    ? parts.map((query) => (query.includes('OR') ? `(${query})` : query)).join(' ')
    : (parts[0] ?? '');
}

/** Returns a query as text: conditions as they were written, in the fewest parentheses. */
export function formatQuery(query: Query): string {
  if (query.kind === 'condition') return query.source;
  if (query.kind === 'not') return `-${negatable(query.term)}`;
  if (query.kind === 'or') return query.terms.map(formatQuery).join(' OR ');
  return query.terms.map(inner).join(' ');
}

/** A negation needs parentheses to be negated: the parser refuses `--a`. */
function negatable(term: Query): string {
  return term.kind === 'not' ? `(${formatQuery(term)})` : inner(term);
}

function inner(term: Query): string {
  const text = formatQuery(term);
  return term.kind === 'and' || term.kind === 'or' ? `(${text})` : text;
}

function formatValue(field: FieldName | 'any', value: string | RegExpLike | Pattern): string {
  if (typeof value === 'string') return formatText(field, value);
  if ('flags' in value) return formatRegExp(value);
  if (value.kind === 'contains') return formatText(field, value.text);
  if (value.kind === 'glob') return value.parts.map((part) => (part === '' ? '' : quoted(part))).join('*');
  return slashed(value.source, value.ignoreCase);
}

function formatText(field: FieldName | 'any', text: string): string {
  const kind = field === 'any' ? 'text' : formOf(field).kind;
  const bare = kind === 'size' || kind === 'time' ? BARE_SIZE_OR_TIME : BARE;
  return bare.test(text) && !(field === 'any' && OPERATOR.test(text)) ? text : quoted(text);
}

function formatRegExp({ source, flags }: RegExpLike): string {
  const kept = [...flags].filter((flag) => flag === 's' || flag === 'm').join('');
  return slashed(kept === '' ? source : `(?${kept})${source}`, flags.includes('i'));
}

/** Escapes the slashes that are not escaped, as those of a character class. */
function slashed(source: string, ignoreCase: boolean): string {
  const escaped = source.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found));
  return `/${escaped}/${ignoreCase ? 'i' : ''}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
