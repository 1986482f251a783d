import { describe, expect, it } from 'vitest';
import { fieldNames, formOf, queryFields } from '../../src/contract/vocabulary/query/fields.js';
import { formatQuery } from '../../src/contract/vocabulary/query/format-query.js';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { Query } from '../../src/contract/vocabulary/query/query.js';
import { QueryError } from '../../src/contract/vocabulary/query/query-error.js';

/** Returns a query as nested lists: operators, and the sources of conditions. */
function shape(query: Query): unknown {
  if (query.kind === 'condition') return query.source;
  if (query.kind === 'not') return ['not', shape(query.term)];
  return [query.kind, ...query.terms.map(shape)];
}

/** Returns a condition without its source and position. */
function meaning(text: string): Record<string, unknown> {
  const query = parseQuery(text);
  if (query.kind !== 'condition') throw new Error(`${text} is ${query.kind}`);
  const { kind, source, position, column, ...rest } = query;
  return rest;
}

function failure(text: string): QueryError {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`no error for ${text}`);
}

const contains = (text: string) => ({ kind: 'contains', text });

describe('a query', () => {
  it.each<[string, unknown]>([
    ['', ['and']],
    [' \t\n ', ['and']],
    ['a', 'a'],
    ['a b', ['and', 'a', 'b']],
    ['a AND b', ['and', 'a', 'b']],
    ['a OR b c', ['or', 'a', ['and', 'b', 'c']]],
    ['a b OR c', ['or', ['and', 'a', 'b'], 'c']],
    ['(a OR b) c', ['and', ['or', 'a', 'b'], 'c']],
    ['a (b c)', ['and', 'a', 'b', 'c']],
    ['-a', ['not', 'a']],
    ['-(a OR b)', ['not', ['or', 'a', 'b']]],
    ['a -b OR -"c d"', ['or', ['and', 'a', ['not', 'b']], ['not', '"c d"']]],
    ['a-b', 'a-b'],
    ['a or b', ['and', 'a', 'or', 'b']],
    ['ORDER ANDes', ['and', 'ORDER', 'ANDes']],
    ['(from:a)(to:b)', ['and', 'from:a', 'to:b']],
    ['/a (b|c)/i d', ['and', '/a (b|c)/i', 'd']],
  ])('%j is %j', (text, expected) => {
    expect(shape(parseQuery(text))).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['http://x/y?z=1', { field: 'any', pattern: contains('http://x/y?z=1') }],
    ['12:30', { field: 'any', pattern: contains('12:30') }],
    ['::1', { field: 'any', pattern: contains('::1') }],
    ['"from:ada"', { field: 'any', pattern: contains('from:ada') }],
    [String.raw`"a \"b\" \\ *"`, { field: 'any', pattern: contains(String.raw`a "b" \ *`) }],
    ['FROM:Ada', { field: 'from', pattern: contains('Ada') }],
    ['from:"Ada L"', { field: 'from', pattern: contains('Ada L') }],
    ['subject:"a "*" z"', { field: 'subject', pattern: { kind: 'glob', parts: ['a ', ' z'] } }],
    ['to:*@b.test', { field: 'recipient', pattern: { kind: 'glob', parts: ['', '@b.test'] } }],
    ['text:/a\\/b/', { field: 'text', pattern: { kind: 'regex', source: 'a/b', ignoreCase: false } }],
    ['status:Bounced', { field: 'status', word: 'bounced' }],
    ['before:2026-03-01', { field: 'before', time: { at: Date.UTC(2026, 2, 1) } }],
    ['after:2026-03-01T12:00:00+01:00', { field: 'after', time: { at: Date.UTC(2026, 2, 1, 11) } }],
    ['after:1d12h', { field: 'after', time: { ago: 129_600_000 } }],
    ['larger:1.5MB', { field: 'larger', bytes: 1_500_000 }],
    ['header:X-Id=a=b', { field: 'header', name: 'x-id', pattern: contains('a=b') }],
    ['header:X-Id="a b"', { field: 'header', name: 'x-id', pattern: contains('a b') }],
    ['header:X-Id', { field: 'header', name: 'x-id', pattern: { kind: 'glob', parts: ['', ''] } }],
    [
      'header:X-Id=/^a/',
      { field: 'header', name: 'x-id', pattern: { kind: 'regex', source: '^a', ignoreCase: false } },
    ],
  ])('%j is one condition', (text, expected) => {
    expect(meaning(text)).toEqual(expected);
  });

  it.each<[string, string, string | undefined]>([
    [
      'a form:ada',
      'unknown field "form" at column 3, expected a field such as from, to or subject',
      'Did you mean "from:"?',
    ],
    ['body:x', 'unknown field "body" at column 1', 'Did you mean "text:"? To search for the text, quote it: "body:x".'],
    ['localhost:8025', 'unknown field "localhost" at column 1', 'To search for the text, quote it: "localhost:8025".'],
    ['status:snt', 'unknown value "snt" of "status:" at column 8, expected one of scheduled, sent,', '"status:sent"'],
    ['is:bounced', 'unknown value "bounced" of "is:" at column 4', 'Did you mean "status:bounced"?'],
    ['status:dropped', 'unknown value "dropped" of "status:" at column 8', 'Did you mean "event:email.dropped"?'],
    ['event:opened', 'unknown value "opened" of "event:" at column 7', 'Did you mean "event:email.opened"?'],
    ['has:links', 'unknown value "links" of "has:" at column 5', 'Did you mean "has:link"?'],
    ['from: ada', 'missing value at column 6, expected a value directly after "from:"', undefined],
    ['subject:""', 'empty value at column 9', undefined],
    ['a "b', 'quote is not closed at column 3, expected a closing " after it', 'write "\\""'],
    [String.raw`"C:\temp"`, 'unknown escape at column 4, expected \\" or \\\\', 'write a backslash as \\\\'],
    ['(a', 'parenthesis is not closed at column 1, expected a ) after it', 'quote it'],
    ['a)', 'unexpected ) at column 2, expected a condition or the end', 'quote it'],
    ['()', 'missing condition before ) at column 2, expected a condition', undefined],
    ['a(b)', 'parenthesis within a value at column 2, expected a space', 'quote the text'],
    ['OR a', 'missing condition before OR at column 1', 'quote it'],
    ['a OR', 'missing condition at column 5', undefined],
    ['a OR OR b', 'missing condition before OR at column 6', 'quote it'],
    ['NOT a', 'unknown operator NOT at column 1, expected a condition', 'write - before it'],
    ['a - b', 'missing condition at column 4, expected a condition directly after -', 'quote it: "-"'],
    ['--search', 'missing condition at column 2', 'quote it: "-"'],
    ['/verify', 'regular expression is not closed at column 1', 'quote it'],
    ['/api/v1', 'unexpected "v1" after a regular expression at column 6, expected the flag i or a space', 'quote it'],
    ['subject://', 'empty regular expression at column 9', undefined],
    ['header:=x', 'missing header name at column 8', 'header:NAME=VALUE'],
    ['status:/sent/', '"status:" does not support regular expressions at column 8, expected one of', undefined],
    ['before:2026-02-30', 'invalid time "2026-02-30" at column 8, expected an ISO 8601 date', undefined],
    ['after:tomorrow', 'invalid time "tomorrow" at column 7', undefined],
    ['larger:big', 'invalid size "big" at column 8, expected a size such as 100kB, 500MB or 8GiB', undefined],
    ['😀 form:ada', 'unknown field "form" at column 3', undefined],
  ])('%j is refused', (text, detail, hint) => {
    const error = failure(text);
    expect(error.message).toContain(`Invalid query: ${detail}`);
    if (hint !== undefined) expect(error.hint).toContain(hint);
  });

  it('is refused over 4 KB of UTF-8, 100 conditions, or 20 levels of parentheses', () => {
    expect(parseQuery('a'.repeat(4_096))).toMatchObject({ kind: 'condition' });
    expect(failure('ä'.repeat(2_049)).message).toContain('query is too long at column 1, expected at most 4096 bytes');
    expect(parseQuery('a '.repeat(100))).toMatchObject({ kind: 'and' });
    expect(failure('a '.repeat(101))).toMatchObject({ position: 200, expected: 'at most 100' });
    expect(parseQuery(`${'('.repeat(20)}a${')'.repeat(20)}`)).toMatchObject({ kind: 'condition' });
    expect(failure(`${'-('.repeat(21)}a${')'.repeat(21)}`)).toMatchObject({
      position: 41,
      expected: 'at most 20 levels',
    });
  });

  it('has the position of each condition', () => {
    const query = parseQuery('from:a -(x OR to:b)');
    expect(JSON.stringify(query)).toContain('"source":"to:b","position":14,"column":15');
    expect(formatQuery(query)).toBe('from:a -(x OR to:b)');
  });

  it('is formatted with the parentheses that a negated negation needs', () => {
    expect(formatQuery(parseQuery('a -(-b)'))).toBe('a -(-b)');
  });
});

describe('the table of fields', () => {
  it.each(fieldNames)('has an example of %s that the parser reads', (name) => {
    expect(meaning(queryFields[name].example)).toMatchObject({ field: name === 'to' ? 'recipient' : name });
  });

  it.each(fieldNames.filter((name) => formOf(name).words))('lists words of %s that the parser reads', (name) => {
    for (const word of formOf(name).words ?? []) expect(meaning(`${name}:${word}`)).toEqual({ field: name, word });
  });
});
