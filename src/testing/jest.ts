import { createRequire } from 'node:module';
import type { Expect } from 'expect';
import type { ScreenshotComparisonOptions } from './api/emails.js';
import { type EmailMatchers, matchers } from './matchers/index.js';
import { besideTest, compareScreenshot, compareSnapshot, type FileState } from './matchers/snapshot-matcher.js';

/** The entry point `svc-cli/testing/jest`, for `setupFilesAfterEnv`: adds the matchers to jest’s `expect`. */

interface JestExpect {
  (actual: unknown): { toMatchSnapshot(hint?: string): void };
  extend: Expect['extend'];
}

/** With `injectGlobals: false`, jest only offers it as a module, which exists within jest only. */
const expect: JestExpect =
  (globalThis as { expect?: JestExpect }).expect ??
  (createRequire(__filename)('@jest/globals') as { expect: JestExpect }).expect;

expect.extend({
  ...matchers,
  toMatchEmailSnapshot(received: unknown, hint?: string) {
    return compareSnapshot(this, received, (snapshot) => expect(snapshot).toMatchSnapshot(hint));
  },
  async toMatchEmailScreenshot(received: unknown, name: string, options?: ScreenshotComparisonOptions) {
    const place = besideTest(this as FileState, name, 'run jest with --updateSnapshot');
    return compareScreenshot(this, received, options, place);
  },
});

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> extends EmailMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R> extends EmailMatchers<R> {}
  }
}
