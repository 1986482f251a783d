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
import type { CapturedEmail } from '../client/operations.js';
import type { ServiceClient } from '../client/service-client.js';
import { emailPage } from '../html/email-page.js';
import type { ScreenshotComparisonOptions } from './api/emails.js';
import type { AddressInbox, ServerOptions, TestServer } from './index.js';
import { readContent, takePicture } from './mail/pictures.js';
import { type EmailMatchers, type MatcherResult, matchers } from './matchers/index.js';
import { compareScreenshot, compareSnapshot, fileName } from './matchers/snapshot-matcher.js';
import { startWatched } from './start-server.js';

/** The entry point `svc-cli/testing/playwright`: Playwright’s `test` with fixtures, and its `expect` with the matchers. */

export interface SvcTestFixtures {
  /** An inbox of the test, with an address of its own. */
  inbox: AddressInbox;
  /** Attaches the emails that a test waited for to its report. */
  svcReport: undefined;
}

export interface SvcWorkerFixtures {
  /** The options of the worker’s server: `use: { svcOptions: { strict: true } }`. */
  svcOptions: ServerOptions;
  /** Whether the report shows pictures of emails, where a browser can be started (default: true). */
  svcPictures: boolean;
  /** The emails that the test has waited for, by their ID. */
  svcWaits: Map<string, [client: ServiceClient, email: CapturedEmail]>;
  /** A server for the worker, or the one that `SVC_BASE_URL` names. */
  svc: TestServer;
}

/** Milliseconds for what a report shows of the emails of a test. */
const REPORT_MS = 120_000;

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SvcTestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SvcWorkerFixtures
> = playwrightTest.extend<SvcTestFixtures, SvcWorkerFixtures>({
  svcOptions: [{}, { scope: 'worker', option: true }],
  svcPictures: [true, { scope: 'worker', option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructuring pattern
  svcWaits: [({}, use) => use(new Map()), { scope: 'worker' }],
  svc: [
    async ({ svcOptions, svcWaits }, use) => {
      const svc = await startWatched(svcOptions, (client, email) => svcWaits.set(email.id, [client, email]));
      await use(svc);
      await svc.close();
    },
    { scope: 'worker' },
  ],
  inbox: async ({ svc }, use) => use(svc.inbox()),
  svcReport: [
    async ({ svcPictures, svcWaits }, use, testInfo) => {
      svcWaits.clear();
      await use(undefined);
      for (const [client, email] of svcWaits.values()) {
        for (const { name, contentType, body } of await reportFiles(client, email, svcPictures)) {
          await testInfo.attach(`${email.subject || '(no subject)'}: ${name}`, { contentType, body });
        }
      }
    },
    // Pictures do not count against the time limit of the test.
    { auto: true, timeout: REPORT_MS },
  ],
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
  async toMatchEmailScreenshot(
    this: { isNot: boolean },
    received: unknown,
    name: string,
    options?: Omit<ScreenshotComparisonOptions, 'update'>,
  ): Promise<MatcherResult> {
    const info = playwrightTest.info();
    const mode = info.config.updateSnapshots;
    const result = await compareScreenshot(this, received, options, {
      file: info.snapshotPath(`${fileName(name)}.png`),
      update: mode === 'all' || mode === 'changed' || (mode !== 'none' && !process.env.CI && 'missing'),
      howToUpdate: 'run playwright with --update-snapshots',
    });
    const { difference } = result;
    if (difference !== undefined) {
      await info.attach(`${name}: baseline, email and difference`, { path: difference, contentType: 'image/png' });
    }
    return result;
  },
});

/** A file about an email in the report of a test. */
export interface ReportFile {
  name: string;
  contentType: string;
  body: Buffer;
}

/**
 * Returns what a report shows of an email: a page that is safe to open, its header with its links and codes, and a
 * picture where a browser can be started. What the server no longer has is left out.
 */
async function reportFiles(client: ServiceClient, email: CapturedEmail, picture: boolean): Promise<ReportFile[]> {
  const { id, from, subject, html, text } = email;
  const to = email.recipients.map(({ address }) => address).join(', ');
  const [content, raw, png] = await Promise.all([
    readContent(client, email).catch(() => undefined),
    client.download('emails.raw', { params: { id } }).catch(() => undefined),
    picture ? takePicture(client, email).catch(() => undefined) : undefined,
  ]);
  const page = emailPage({ from, to, subject, html, text }, content?.images ?? new Map());
  return [
    ...(png ? [{ name: 'picture', contentType: 'image/png', body: Buffer.from(png) }] : []),
    { name: 'page', contentType: 'text/html', body: Buffer.from(page) },
    { name: 'header and links', contentType: 'text/plain', body: Buffer.from(headerAndLinks(email, raw)) },
  ];
}

function headerAndLinks({ links, codes }: CapturedEmail, raw: Uint8Array | undefined): string {
  const [header = ''] = raw ? new TextDecoder().decode(raw).split(/\r?\n\r?\n/, 1) : [];
  const lines = [
    ...(links.length > 0 ? ['Links:', ...links.map(({ href, text }) => `  ${href}  ${text}`)] : []),
    ...(codes.length > 0 ? ['Codes:', ...codes.map(({ value }) => `  ${value}`)] : []),
  ];
  return `${header}\n\n${lines.join('\n')}\n`;
}
