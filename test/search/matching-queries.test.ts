import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import { cases } from './cases.js';
import { emails, NOW } from './emails.js';

describe('a compiled query', () => {
  it.each(cases)('%j matches %j', async (query, ids) => {
    const compiled = await compileQuery(parseQuery(query), { now: NOW });
    const matches = emails.filter((email) => compiled.matches(email)).map(({ id }) => id.replace('msg_', ''));
    expect(matches.join(' ')).toBe(ids);
  });
});
