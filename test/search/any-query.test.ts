import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldNames, formOf } from '../../src/contract/vocabulary/query/fields.js';
import { allOf, formatCondition, formatHeader, formatQuery } from '../../src/contract/vocabulary/query/format-query.js';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { Pattern, Query } from '../../src/contract/vocabulary/query/query.js';
import { QueryError } from '../../src/contract/vocabulary/query/query-error.js';

const patternFields = [
  'any' as const,
  // A query cannot name `to` alone: `to:` is the field of all recipients.
  ...fieldNames.filter((name) => name !== 'to' && ['text', 'address', 'name'].includes(formOf(name).kind)),
];

/** Texts of every kind of character, and of characters with a meaning in a query. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'ab \\"\'/*-():=@.\n', 'OR', 'AND', 'NOT', 'from:', '😀'), maxLength: 40 }),
);
const nonEmptyText = anyText.filter((text) => text !== '');

const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  fc.record({ kind: fc.constant('contains' as const), text: nonEmptyText }),
  fc.record({ kind: fc.constant('glob' as const), parts: fc.array(anyText, { minLength: 2, maxLength: 5 }) }),
  fc.record({
    kind: fc.constant('regex' as const),
    // A backslash and its character; a lone one has no meaning in a regular expression.
    source: nonEmptyText.map((text) => text.replace(/\\/g, '\\\\')),
    ignoreCase: fc.boolean(),
  }),
);

describe('any query', () => {
  it('is parsed, or refused with a QueryError', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          parseQuery(text);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          const { position } = error as QueryError;
          expect(position).toBeGreaterThanOrEqual(0);
          expect(position).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('formats to a query with the same meaning', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let query: Query;
        try {
          query = parseQuery(text);
        } catch {
          return;
        }
        expect(withoutPositions(parseQuery(formatQuery(query)))).toEqual(withoutPositions(query));
        expect(withoutPositions(parseQuery(allOf([text, 'zz'])))).toEqual(
          withoutPositions(parseQuery(`(${text.trim() || '()'}) zz`.replace('(()) ', ''))),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any value', () => {
  it('is the same after formatting and parsing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...patternFields), pattern, (field, value) => {
        expect(parseQuery(formatCondition(field, value))).toMatchObject({ kind: 'condition', field, pattern: value });
      }),
      { numRuns: 1_000 },
    );
  });

  it('is taken literally as a text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...patternFields), nonEmptyText, (field, text) => {
        const expected = { kind: 'condition', pattern: { kind: 'contains', text } };
        expect(parseQuery(formatCondition(field, text))).toMatchObject({ ...expected, field });
        expect(parseQuery(formatHeader('X-Any', text))).toMatchObject({ ...expected, field: 'header', name: 'x-any' });
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [/a\/b/i, '/a\\/b/i'],
    [/[/]/g, '/[\\/]/'],
    [/^a.b$/ms, '/(?ms)^a.b$/'],
  ])('can be the regular expression %s of JavaScript', (value, text) => {
    expect(formatCondition('any', value)).toBe(text);
    expect(parseQuery(text)).toMatchObject({ kind: 'condition' });
  });
});

describe('parsing', () => {
  /** Queries of 4 KB that repeat one part. */
  const parts = [
    '"',
    '\\',
    '(',
    ')',
    '-',
    '/',
    '*',
    'a:',
    'a',
    '"a"',
    ' ',
    'OR ',
    '"\\"',
    '/a/ ',
    'header:',
    'http://',
  ];

  it.each(parts)('of 4 KB of %j reads each character a limited number of times', (part) => {
    const text = part.repeat(Math.floor(4_096 / part.length));
    const reads = countedReads(() => {
      try {
        parseQuery(text);
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
      }
    });
    expect(reads).toBeLessThan(20 * 4_096);
  });
});

/** Returns the number of characters that regular expressions matched during a call, and the number of their calls. */
function countedReads(call: () => void): number {
  const { exec } = RegExp.prototype;
  let reads = 0;
  RegExp.prototype.exec = function (text) {
    const found = exec.call(this, text);
    reads += 1 + (found?.[0].length ?? 0);
    return found;
  };
  try {
    call();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return reads;
}

function withoutPositions(query: Query): unknown {
  return JSON.parse(
    JSON.stringify(query, (key, value) => (key === 'position' || key === 'column' ? undefined : value)),
  );
}
