import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../src/contract/vocabulary/query/query-error.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import { emails, NOW } from './emails.js';

const compiled = (query: string) => compileQuery(parseQuery(query), { now: NOW });

async function failure(query: string): Promise<QueryError> {
  const error = await compiled(query).catch((reason: unknown) => reason);
  if (error instanceof QueryError) return error;
  throw new Error(`no QueryError for ${query}: ${error}`);
}

describe('an invalid regular expression', () => {
  it.each<[string, string]>([
    ['ada text:/a(?=b)/', 'unsupported "(?=" in a regular expression at column 12, expected RE2\'s syntax'],
    ['/(?<!a)b/', 'unsupported "(?<!" in a regular expression at column 2'],
    [String.raw`😀 /(a)\1/`, String.raw`unsupported "\\1" in a regular expression at column 7`],
    ['subject:/a(b/', 'invalid regular expression (missing closing ) "a(b") at column 10'],
    ['header:X-Id=/[z-a]/', 'invalid regular expression (invalid character class range "z-a") at column 15'],
    [String.raw`/a\/**/`, 'invalid regular expression (invalid nested repetition operator "**") at column 5'],
    ['/a{1,2000}/', 'regular expression is too large at column 2, expected at most 1000 characters and repetitions in'],
    ['/(a{1,40}b){1,40}/', 'regular expression is too large at column 2'],
    ['/a{600}/ OR /b{600}/', 'regular expression is too large at column 14'],
    [String.raw`/\Q[\E(a{90}){9}/`, 'regular expression is too large'],
  ])('%s is refused', async (query, detail) => {
    expect((await failure(query)).message).toContain(`Invalid query: ${detail}`);
  });

  it('has a hint if it is only unsupported', async () => {
    expect((await failure('/(?!a)/')).hint).toContain('Lookahead, lookbehind and backreferences are not supported');
  });
});

describe('a regular expression', () => {
  it.each([String.raw`/\u0052eset/`, '/(?<word>Reset)/', String.raw`/\p{Lu}eset|[[:upper:]]eset/`])(
    '%s has the syntax of JavaScript or of RE2',
    async (query) => {
      const { matches } = await compiled(`subject:${query}`);
      expect(emails.filter(matches).map(({ id }) => id)).toEqual(['msg_reset']);
    },
  );

  it.each(['/(a+)+$/', '/(a|aa)+$/', '/(a|a?)+[^a!]$/', '/(.*a){12}$/', '/(a*)*[^a!]/'])(
    '%s reads each character of a text a limited number of times',
    async (query) => {
      const { matches } = await compiled(`text:${query}`);
      const [email] = emails;
      if (!email) throw new Error('no email');
      const readsOf = (length: number) =>
        countedReads(() => expect(matches({ ...email, hasHtml: false, text: `${'a'.repeat(length)}!` })).toBe(false));
      // The built-in engine needs 2 ** 30 steps for some of these after 30 characters.
      const [few, many] = [readsOf(5_000), readsOf(50_000)];
      expect(few).toBeGreaterThanOrEqual(5_000);
      expect(many).toBeLessThanOrEqual(11 * few);
    },
  );

  it('reads the first 200,000 characters of a text', async () => {
    const { matches } = await compiled('text:/needle/');
    const [email] = emails;
    if (!email) throw new Error('no email');
    expect(matches({ ...email, text: `${' '.repeat(199_994)}needle` })).toBe(true);
    expect(matches({ ...email, text: `${' '.repeat(199_995)}needle` })).toBe(false);
  });
});

/** Returns the number of characters that the engine reads during a call. */
function countedReads(call: () => void): number {
  const { charCodeAt, codePointAt } = String.prototype;
  let reads = 0;
  String.prototype.charCodeAt = function (index) {
    reads += 1;
    return charCodeAt.call(this, index);
  };
  String.prototype.codePointAt = function (index) {
    reads += 1;
    return codePointAt.call(this, index);
  };
  try {
    call();
  } finally {
    Object.assign(String.prototype, { charCodeAt, codePointAt });
  }
  return reads;
}
