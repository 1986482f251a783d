import type { MatcherResult } from './email-matchers.js';
import { emailSnapshot } from './index.js';
import type { MatcherState } from './matchers.js';

/** Compares an email with a snapshot by a test runner's own matcher, which throws when they differ. */
export function compareSnapshot(
  state: MatcherState,
  email: unknown,
  compare: (snapshot: string) => void,
): MatcherResult {
  if (state.isNot) throw new TypeError('toMatchEmailSnapshot() cannot be combined with "not".');
  const snapshot = emailSnapshot(email);
  try {
    compare(snapshot);
    return { pass: true, message: () => '' };
  } catch (error) {
    const { message, actual, expected } = error as { message: string; actual?: unknown; expected?: unknown };
    return { pass: false, message: () => message, actual, expected };
  }
}
