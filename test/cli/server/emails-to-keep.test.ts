import { describe, expect, it } from 'vitest';
import { checkKeepIf } from '../../../src/cli/server/flags/keep-if.js';
import { describeRetention, type Retention } from '../../../src/contract/vocabulary/retention.js';
import { startApp } from '../../support/servers/app.js';

describe('--keep-if', () => {
  const NO_LIMIT = { keep: null, maxAgeMs: null };
  const refused: [query: string, limits: Partial<Retention>, message: string][] = [
    ['', {}, '--keep-if must not be empty.'],
    ['tag:keep', {}, '--keep-if requires --keep or --max-age.'],
    ['tagg:keep', { keep: 3 }, 'Invalid query: unknown field "tagg" at column 1, expected a field such as from, to or'],
    ['-(tag:keep before:1d)', { maxAgeMs: 604_800_000 }, 'Invalid query: "before:" is not allowed in --keep-if.'],
  ];

  it.each(refused)('refuses %j with %j', async (query, limits, message) => {
    await expect(checkKeepIf({ ...NO_LIMIT, ...limits, keepIf: query })).rejects.toThrow(message);
  });

  it.each(refused)('is refused by the server too, with the same words: %j with %j', async (query, limits, message) => {
    await expect(startApp({ retention: { ...NO_LIMIT, ...limits, keepIf: query } })).rejects.toThrow(message);
  });

  it('accepts a query with a limit', async () => {
    await checkKeepIf({ keep: 3, maxAgeMs: null, keepIf: 'tag:keep OR is:unread' });
    expect(describeRetention({ keep: 3, maxAgeMs: null, keepIf: 'tag:keep' })).toBe(
      'the newest 3 emails, and those that match: tag:keep',
    );
  });
});
