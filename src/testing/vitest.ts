import { expect, type TestAPI, test as vitestTest } from 'vitest';
import type { ScreenshotComparisonOptions } from './api/emails.js';
import { type AddressInbox, type ServerOptions, startServer, type TestServer } from './index.js';
import { type EmailMatchers, matchers } from './matchers/index.js';
import { besideTest, compareScreenshot, compareSnapshot, type FileState } from './matchers/snapshot-matcher.js';

/** The entry point `svc-cli/testing/vitest`: adds the matchers to vitest’s `expect`, and exports fixtures. */

expect.extend({
  ...matchers,
  toMatchEmailSnapshot(received: unknown, hint?: string) {
    return compareSnapshot(this, received, (snapshot) => expect(snapshot).toMatchSnapshot(hint));
  },
  async toMatchEmailScreenshot(received: unknown, name: string, options?: ScreenshotComparisonOptions) {
    const place = besideTest(this as unknown as FileState, name, 'run vitest with --update');
    return compareScreenshot(this, received, options, place);
  },
});

/** The fixtures of `test`. A test starts only those that it names. */
export interface SvcFixtures {
  /** A server for the test file. */
  svc: TestServer;
  /** An inbox of the test, with an address of its own. */
  inbox: AddressInbox;
}

/** Milliseconds for the start of a server on a busy machine. The limits of tests begin after it. */
const START_MS = 60_000;

/** Returns vitest’s `test` with fixtures whose server has these options. */
export function svcTest(options: ServerOptions = {}): TestAPI<SvcFixtures> {
  // Per file: without isolation, the files of a worker share this module.
  const state = { hasHook: false };
  const extended = vitestTest.extend<SvcFixtures>({
    svc: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest requires a destructuring pattern
      async ({}, use) => {
        const starting = startServer(options);
        const svc = await Promise.race([starting, tooSlow()]).catch((error: unknown) => {
          // Nothing else would end a server that starts late.
          starting.then((late) => late.close()).catch(() => {});
          throw error;
        });
        await use(svc);
        state.hasHook = false;
        await svc.close();
      },
      { scope: 'file' },
    ],
    inbox: async ({ svc }, use) => use(svc.inbox()),
  });
  return startingBeforeTests(extended, state);
}

/**
 * Returns a `test` that starts the server in a hook, if a file uses it. Otherwise the start would count against the time
 * limit of the first test that names the fixture.
 */
function startingBeforeTests(test: TestAPI<SvcFixtures>, state: { hasHook: boolean }): TestAPI<SvcFixtures> {
  const use = () => {
    if (state.hasHook) return;
    state.hasHook = true;
    // The hook needs the fixture, and nothing else of it.
    test.beforeAll(({ svc: _ }) => {}, START_MS);
  };
  return new Proxy(test, {
    apply(target, self, args) {
      use();
      return Reflect.apply(target, self, args);
    },
    get(target, name) {
      if (DEFINING.has(name)) use();
      return Reflect.get(target, name, target);
    },
  });
}

/** The properties of `test` that define tests, now or with their own properties. */
const DEFINING: ReadonlySet<string | symbol> = new Set([
  'concurrent',
  'each',
  'fails',
  'for',
  'only',
  'runIf',
  'sequential',
  'skip',
  'skipIf',
  'todo',
]);

/** Rejects when a server takes too long to start, before vitest ends the hook without naming the server. */
function tooSlow(): Promise<never> {
  const limit = START_MS - 1_000;
  const error = new Error(`The server of svc did not start within ${limit / 1_000} s.`);
  return new Promise((_, reject) => {
    AbortSignal.timeout(limit).addEventListener('abort', () => reject(error));
  });
}

export const test: TestAPI<SvcFixtures> = svcTest();
export { expect, test as it };

declare module 'vitest' {
  interface Matchers<T> extends EmailMatchers<void> {}
}
