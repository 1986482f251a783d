import { expect, type TestAPI, test as vitestTest } from 'vitest';
import { type AddressInbox, type ServerOptions, startServer, type TestServer } from './index.js';
import { type EmailMatchers, matchers } from './matchers/index.js';
import { compareSnapshot } from './matchers/snapshot-matcher.js';

/** The entry point `svc-cli/testing/vitest`: adds the matchers to vitest’s `expect`, and exports fixtures. */

expect.extend({
  ...matchers,
  toMatchEmailSnapshot(received: unknown, hint?: string) {
    return compareSnapshot(this, received, (snapshot) => expect(snapshot).toMatchSnapshot(hint));
  },
});

/** The fixtures of `test`. A test starts only those that it names. */
export interface SvcFixtures {
  /** A server for the test file. */
  svc: TestServer;
  /** An inbox of the test, with an address of its own. */
  inbox: AddressInbox;
}

/** Returns vitest’s `test` with fixtures whose server has these options. */
export function svcTest(options: ServerOptions = {}): TestAPI<SvcFixtures> {
  return vitestTest.extend<SvcFixtures>({
    svc: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest requires a destructuring pattern
      async ({}, use) => {
        const svc = await startServer(options);
        await use(svc);
        await svc.close();
      },
      { scope: 'file' },
    ],
    inbox: async ({ svc }, use) => use(svc.inbox()),
  });
}

export const test: TestAPI<SvcFixtures> = svcTest();
export { expect, test as it };

declare module 'vitest' {
  interface Matchers<T> extends EmailMatchers<void> {}
}
