import { createRequire } from 'node:module';
import type { Expect } from 'expect';
import { type EmailMatchers, matchers } from './matchers/index.js';
import { compareSnapshot } from './matchers/snapshot-matcher.js';

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
});

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> extends EmailMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R> extends EmailMatchers<R> {}
  }
}
