import type {
  Duration,
  EmailCriteria,
  LinkCriteria,
  ScreenshotComparisonOptions,
  TextPattern,
  WaitOptions,
} from '../api/emails.js';

/** The signatures of the matchers, for the types of each test runner. `R` is what a matcher without a wait returns. */
export interface EmailMatchers<R = void> {
  /** Waits until an inbox has an email that matches. With `not`, checks that none arrives until the time-out. */
  toHaveReceivedEmail(criteria?: EmailCriteria & WaitOptions, options?: WaitOptions): Promise<void>;
  /** Checks that an email has a link that matches. */
  toHaveLink(pattern?: TextPattern | LinkCriteria): R;
  /** Checks that an email has a one-time code, or this one. */
  toHaveCode(code?: string | RegExp): R;
  /** Waits until an email is delivered. With `not`, checks that it is not delivered now. */
  toBeDelivered(options?: { timeout?: Duration | undefined }): Promise<void>;
  /** Compares the HTML of an email, or its text, with a snapshot. Codes, tokens and dates in it do not count. */
  toMatchEmailSnapshot(hint?: string): R;
  /** Compares a picture of an email with the PNG file of this name. Codes, IDs and times in it do not count. */
  toMatchEmailScreenshot(name: string, options?: Omit<ScreenshotComparisonOptions, 'update'>): Promise<void>;
}

/** What a matcher returns to its test runner. */
export interface MatcherResult {
  pass: boolean;
  message: () => string;
  actual?: unknown;
  expected?: unknown;
}
