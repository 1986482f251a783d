import { basename, dirname, join } from 'node:path';
import type { ScreenshotComparisonOptions } from '../api/emails.js';
import { checkNames } from '../mail/criteria.js';
import type { MatcherResult } from './email-matchers.js';
import { emailSnapshot } from './index.js';
import { checkEmail, type MatcherState } from './matchers.js';

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

/** Where a test runner keeps a picture, and what it does with one that is missing or differs. */
export interface ScreenshotPlace {
  file: string;
  update: boolean | 'missing';
  /** What tells the user how to accept another picture, such as `run vitest with --update`. */
  howToUpdate: string;
}

/** Compares a picture of an email with a file. Returns the result, and the path of the difference. */
export async function compareScreenshot(
  state: MatcherState,
  email: unknown,
  options: Omit<ScreenshotComparisonOptions, 'update'> = {},
  place: ScreenshotPlace,
): Promise<MatcherResult & { difference: string | undefined }> {
  if (state.isNot) throw new TypeError('toMatchEmailScreenshot() cannot be combined with "not".');
  checkEmail(email, 'toMatchEmailScreenshot()');
  checkNames(options, OPTIONS);
  const { file, ...how } = place;
  const { pass, message, difference } = await email.matchScreenshot(file, { ...options, ...how });
  const lines = [message, ...(difference === undefined ? [] : [`Baseline, email and difference: ${difference}`])];
  return { pass, message: () => lines.join('\n'), difference };
}

const OPTIONS = {
  example: '{ dark: true }',
  kind: 'an option of toMatchEmailScreenshot()',
  known: ['width', 'dark', 'client', 'mask', 'threshold'],
};

/** What vitest and jest offer to a matcher that keeps files. */
export interface FileState extends MatcherState {
  readonly testPath?: string | undefined;
  /** `all` with the flag that updates, `none` in CI. */
  readonly snapshotState?: { readonly _updateSnapshot?: 'all' | 'new' | 'none' };
}

/** Returns the place next to a test file: `__screenshots__/sign-up.test.ts/NAME.png`. */
export function besideTest(
  { testPath = '', snapshotState }: FileState,
  name: string,
  howToUpdate: string,
): ScreenshotPlace {
  const file = join(dirname(testPath), '__screenshots__', basename(testPath), `${fileName(name)}.png`);
  const mode = snapshotState?._updateSnapshot ?? 'new';
  return { file, update: mode === 'new' ? 'missing' : mode === 'all', howToUpdate };
}

/** @throws TypeError unless the name is a file name on every system. */
export function fileName(name: unknown): string {
  if (typeof name === 'string' && /^[\w][\w .-]{0,99}$/.test(name) && !name.endsWith('.')) return name;
  throw new TypeError(
    `The name of a picture needs letters, digits, spaces, dots, "-" or "_", such as "order-dark", not ${JSON.stringify(name) ?? String(name)}.`,
  );
}
