import { randomBytes } from 'node:crypto';
import { DURATION_FORM, readDuration } from '../../contract/vocabulary/durations.js';
import { allOf, formatCondition, formatHeader } from '../../contract/vocabulary/query/format-query.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import type { Duration, EmailCriteria, TextPattern } from '../api/emails.js';
import { isRegExp, unknownName } from './links.js';

/** Converts criteria of a test to svc's query language. */

/** Flags that a regular expression of a query can have. */
const FLAGS = 'imsu';

const patternFields = ['from', 'to', 'cc', 'bcc', 'subject', 'text', 'attachment'] as const;
const wordFields = ['status', 'event', 'origin'] as const;
const listFields = ['tag', 'has'] as const;
const others = ['template', 'headers', 'search'] as const;
const known = [...patternFields, ...wordFields, ...listFields, ...others, 'timeout', 'since'];

/** Returns the query of the criteria. @throws TypeError when a criterion does not exist or has an invalid value. */
export function queryOf(criteria: EmailCriteria): string {
  checkNames(criteria, { example: '{ subject: /reset/i }', kind: 'a criterion of an email', known });
  const conditions: string[] = [];
  for (const field of patternFields) {
    const value = criteria[field];
    if (value !== undefined) conditions.push(formatCondition(field, patternOf(value, field)));
  }
  for (const field of wordFields) {
    const value = criteria[field];
    if (value !== undefined) conditions.push(formatCondition(field, textOf(value, field)));
  }
  for (const field of listFields) {
    for (const value of [criteria[field] ?? []].flat()) conditions.push(formatCondition(field, textOf(value, field)));
  }
  if (criteria.template !== undefined)
    conditions.push(formatCondition('template', textOf(criteria.template, 'template')));
  for (const [name, value] of Object.entries(criteria.headers ?? {})) {
    conditions.push(value === true ? formatHeader(name) : formatHeader(name, patternOf(value, `headers["${name}"]`)));
  }
  if (criteria.search !== undefined) {
    const search = textOf(criteria.search, 'search');
    // Alone, because parentheses that it closes would end those of other conditions.
    parseQuery(search);
    conditions.push(search);
  }
  return allOf(conditions);
}

interface Names {
  example: string;
  /** With its article, for the error about an unknown name. */
  kind: string;
  known: readonly string[];
}

/** @throws TypeError when criteria are not an object, or one of them does not exist. */
export function checkNames(criteria: object, { example, kind, known }: Names): void {
  if (typeof criteria !== 'object' || criteria === null || Array.isArray(criteria) || isRegExp(criteria)) {
    throw new TypeError(`Criteria must be an object such as ${example}, not ${describe(criteria)}.`);
  }
  for (const name of Object.keys(criteria)) if (!known.includes(name)) throw unknownName(name, kind, known);
}

function patternOf(value: TextPattern, name: string): TextPattern {
  if (typeof value === 'string') return textOf(value, name);
  if (!isRegExp(value)) {
    throw new TypeError(`${name} must be a string or a regular expression, not ${describe(value)}.`);
  }
  const flag = [...value.flags].find((each) => !FLAGS.includes(each));
  if (flag === undefined) return value;
  throw new TypeError(
    `${name}: the flag "${flag}" of ${String(value)} is not supported, because the server matches it. ` +
      `Use the flags ${[...FLAGS].join(', ')}.`,
  );
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new TypeError(`${name} must be a non-empty string, not ${describe(value)}.`);
}

function describe(value: unknown): string {
  if (isRegExp(value)) return String(value);
  return value === null || typeof value !== 'object' ? String(JSON.stringify(value) ?? value) : `an ${typeof value}`;
}

/** Returns milliseconds. @throws TypeError that names the option when the value is not a duration. */
export function millisecondsOf(value: Duration, option: string): number {
  const milliseconds = typeof value === 'number' ? value : readDuration(value);
  if (milliseconds !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0) return Math.round(milliseconds);
  throw new TypeError(
    `${option} must be milliseconds from 0 or ${DURATION_FORM}, not ${JSON.stringify(value) ?? String(value)}.`,
  );
}

/** Returns a part of names that no other process makes. */
export function uniqueName(): string {
  return randomBytes(8).toString('hex');
}

/** Returns an address that no other inbox has, also in another process that uses the same server. */
export function uniqueAddress(domain: string): string {
  return `inbox-${uniqueName()}@${domain}`;
}
