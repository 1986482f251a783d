import {
  type Expect,
  type MatcherReturnType,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  expect as playwrightExpect,
  test as playwrightTest,
  type TestType,
} from '@playwright/test';
import { type AddressInbox, type ServerOptions, startServer, type TestServer } from './index.js';
import { type EmailMatchers, type MatcherResult, matchers } from './matchers/index.js';
import { compareSnapshot } from './matchers/snapshot-matcher.js';

/** The entry point `svc-cli/testing/playwright`: Playwright’s `test` with fixtures, and its `expect` with the matchers. */

export interface SvcTestFixtures {
  /** An inbox of the test, with an address of its own. */
  inbox: AddressInbox;
}

export interface SvcWorkerFixtures {
  /** The options of the worker’s server: `use: { svcOptions: { strict: true } }`. */
  svcOptions: ServerOptions;
  /** A server for the worker, or the one that `SVC_BASE_URL` names. */
  svc: TestServer;
}

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SvcTestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SvcWorkerFixtures
> = playwrightTest.extend<SvcTestFixtures, SvcWorkerFixtures>({
  svcOptions: [{}, { scope: 'worker', option: true }],
  svc: [
    async ({ svcOptions }, use) => {
      const svc = await startServer(svcOptions);
      await use(svc);
      await svc.close();
    },
    { scope: 'worker' },
  ],
  inbox: async ({ svc }, use) => use(svc.inbox()),
});

/** The matchers as Playwright declares them. */
export type PlaywrightMatchers = {
  [Name in keyof EmailMatchers]: (
    received: unknown,
    ...args: Parameters<EmailMatchers[Name]>
  ) => ReturnType<EmailMatchers[Name]> extends Promise<void> ? Promise<MatcherReturnType> : MatcherReturnType;
};

export const expect: Expect<PlaywrightMatchers> = playwrightExpect.extend({
  toHaveReceivedEmail: matchers.toHaveReceivedEmail,
  toHaveLink: matchers.toHaveLink,
  toHaveCode: matchers.toHaveCode,
  toBeDelivered: matchers.toBeDelivered,
  toMatchEmailSnapshot(this: { isNot: boolean }, received: unknown, name?: string): MatcherResult {
    return compareSnapshot(this, received, (snapshot) => {
      if (name === undefined) playwrightExpect(snapshot).toMatchSnapshot();
      else playwrightExpect(snapshot).toMatchSnapshot(name);
    });
  },
});
