import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { AppOptions } from '../../../src/app/app.js';
import { startApp, type TestApp } from '../servers/app.js';
import { headlessPath, withoutChromium } from './chromium-path.js';

/** Runs the inbox in a browser of the system. */

/** The reason to skip a test, to be added to its title; empty where a browser is available. */
export const withoutBrowser = withoutChromium;

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: headlessPath ?? '', args: ['--no-sandbox'] });
}

export interface InboxServer extends TestApp {
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  port: number;
  /** Sends an email over REST. Returns its ID. */
  send(email?: Record<string, unknown>): Promise<string>;
}

type InboxOptions = Partial<AppOptions> & { host?: string };

/** Starts the service with the built inbox. The browser is on the same machine, whatever the host is. */
export async function startInbox(port = 0, { host = '127.0.0.1', ...options }: InboxOptions = {}) {
  const app = await startApp(options);
  const { baseUrl } = await app.listen({ http: { host, port }, smtp: { host: '127.0.0.1', port: 0 } });
  const { origin, port: used } = new URL(baseUrl.replace('0.0.0.0', '127.0.0.1'));
  return Object.assign(app, {
    origin,
    port: Number(used),
    async send(email: Record<string, unknown> = {}) {
      const { status, json } = await app.call('POST', '/v1/emails', {
        to: 'ada@example.test',
        from: 'shop@example.test',
        subject: 'Hello',
        html: '<p>It works.</p>',
        ...email,
      });
      if (status !== 201) throw new Error(JSON.stringify(json));
      return json.data.id as string;
    },
  }) as InboxServer;
}

const VIEWPORT = { width: 1280, height: 800 };

/** Opens a page of the inbox in a context of its own. Faults and messages of the page are added to `problems`. */
export async function openInbox(browser: Browser, origin: string, path = '/', options: BrowserContextOptions = {}) {
  const context = await openContext(browser, options);
  return { ...(await openPage(context, origin + path)), close: () => context.close() };
}

/** Returns a context: what its pages share, such as cookies and the cache. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  // A limit for what hangs: a busy machine lays 5 MB of HTML out for half a minute.
  context.setDefaultTimeout(90_000);
  return context;
}

/** Opens a page in a context. Faults and messages of the page are added to `problems`. */
async function openPage(context: BrowserContext, url: string) {
  const page: Page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The browser reports refused connections by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}

/** Holds back requests to addresses that match a pattern. Returns the function that releases them. */
export async function hold(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, (route) => released.then(() => route.continue()));
  return release;
}
