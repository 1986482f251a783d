import { expect, it } from 'vitest';
import { describeMigration } from '../../../src/cli/target/embedded.js';

it('announces a migration of at least 10,000 emails, with its number if there are several', () => {
  expect(describeMigration({ step: 2, steps: 3, emails: 1_000_000 })).toBe(
    'Upgrading the database of 1,000,000 emails. This can take minutes. Step 2 of 3.',
  );
  expect(describeMigration({ step: 1, steps: 1, emails: 10_000 })).toBe(
    'Upgrading the database of 10,000 emails. This can take minutes.',
  );
  expect(describeMigration({ step: 1, steps: 1, emails: 9_999 })).toBeUndefined();
});
