import { describe, expect, it } from 'vitest';
import { checkKeepIf } from '../../../src/cli/flags/keep-if.js';
import { describeRetention } from '../../../src/contract/vocabulary/emails/retention.js';

describe('--keep-if', () => {
  it.each([
    ['', {}, '--keep-if must not be empty.'],
    ['tag:keep', {}, '--keep-if requires --keep or --max-age.'],
    ['tagg:keep', { keep: 3 }, 'Invalid query: unknown field "tagg" at column 1, expected a field such as from, to or'],
    ['-(tag:keep before:1d)', { 'max-age': '7d' }, 'Invalid query: "before:" is not allowed in --keep-if.'],
  ])('refuses %j with %j', async (query, limits, message) => {
    await expect(checkKeepIf({ ...limits, 'keep-if': query })).rejects.toThrow(message);
  });

  it('accepts a query with a limit', async () => {
    await checkKeepIf({ keep: 3, 'keep-if': 'tag:keep OR is:unread' });
    expect(describeRetention({ keep: 3, maxAgeMs: null, keepIf: 'tag:keep' })).toBe(
      'the newest 3 emails, and those that match: tag:keep',
    );
  });
});
