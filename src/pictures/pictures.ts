import { accessSync, constants } from 'node:fs';
import type { Browser, BrowserServer, CDPSession, Page } from 'playwright-core';
import { PICTURE_WIDTH } from '../contract/vocabulary/limits.js';
import { escapeHtml } from '../contract/vocabulary/text.js';
import { type InlineImages, withImages } from '../html/inline-images.js';
import { browserPaths } from '../system.js';
import { type FontSet, openFontSet } from './fonts.js';
import { END_ANIMATIONS, hide, READ_TEXTS, writeTexts } from './page-scripts.js';

/**
 * Takes pictures of emails in a browser of the user. The browser has a fresh profile and no network, and shows the email
 * under the policy of the inbox's frame, without scripts.
 */

/** No picture can be taken, for a reason that the user can resolve. */
export class PictureError extends Error {
  override readonly name = 'PictureError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export interface PictureContent {
  html: string;
  /** The plain text, for an email without HTML. */
  text: string;
  images?: InlineImages | undefined;
}

export interface PictureOptions {
  /** Width in pixels (default: 600). */
  width?: number | undefined;
  /** Whether the email is shown to a user who prefers dark colors. */
  dark?: boolean | undefined;
}

export interface StableOptions {
  /** Replaces volatile text, before the picture is taken. */
  stable?: ((text: string) => string) | undefined;
  /** CSS selectors of elements to hide. */
  mask?: readonly string[] | undefined;
}

export interface Picture {
  png: Buffer;
  width: number;
  height: number;
  /** Whether the email is higher than a picture can be. */
  cut: boolean;
}

export interface LaunchOptions {
  env: NodeJS.ProcessEnv;
  /** Starts the browser without its own sandbox. */
  noSandbox?: boolean | undefined;
  /** Milliseconds for the start and for each picture. */
  timeout?: number | undefined;
}

const DEFAULT_WIDTH = 600;
/** Height in pixels: browsers repeat or lose what is below 16,384. */
export const HEIGHT_MAX = 16_000;
/** The height of the window. A low one leaves no empty space below a short email. */
const WINDOW_HEIGHT = 100;
const TIMEOUT_MS = 30_000;
/** playwright-core takes another 30 s to end a browser that did not start. */
const START_MS = 15_000;
/** Time for the browser to end by itself. */
const CLOSE_MS = 5_000;

/** The policy of the inbox's frame, without links, for pages that load nothing. */
const POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
/** A name that never resolves (RFC 6761). The page of the email is the only response to it. */
const PAGE_URL = 'http://email.invalid/';

const ARGUMENTS = [
  // Also names in the source for which browsers connect ahead of time.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // The first frame of an animated image.
  '--blink-settings=imageAnimationPolicy=2',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

/** Starts the browser. @throws PictureError if none can be started. */
export async function openPictures({ env, noSandbox = false, timeout = TIMEOUT_MS }: LaunchOptions): Promise<Pictures> {
  const { chromium } = await import('playwright-core').catch((error: unknown) => {
    throw new PictureError(
      'Pictures need the package playwright-core, which is not installed.',
      `Install it where svc is installed: "npm install --save-dev playwright-core". ${firstLine(error)}`,
    );
  });
  const withoutSandbox = noSandbox || env.SVC_BROWSER_SANDBOX === '0';
  if (!withoutSandbox && process.getuid?.() === 0) throw new PictureError(AS_ROOT, SANDBOX_HINT);
  const executablePath = env.SVC_BROWSER || [chromium.executablePath(), ...browserPaths(env)].find(isExecutable);
  if (executablePath === undefined) {
    throw new PictureError(
      'No browser found. Pictures need Chrome, Chromium or Edge.',
      'Install one, for example with "npx playwright-core install chromium", or set SVC_BROWSER to its path.',
    );
  }
  // playwright-core would leave temporary files.
  if (!isExecutable(executablePath)) throw launchError(executablePath, 'it does not exist, or cannot be run');
  const fonts = fontSetOf(env);
  const server = await chromium
    .launchServer({
      env: fonts?.env ?? env,
      executablePath,
      chromiumSandbox: !withoutSandbox,
      args: ARGUMENTS,
      // Nothing else can be on the way to a server.
      proxy: { server: 'http://127.0.0.1:1', bypass: '<-loopback>' },
      host: '127.0.0.1',
      timeout: Math.min(timeout, START_MS),
    })
    .catch((error: unknown) => {
      fonts?.remove();
      throw launchError(executablePath, (error as Error).message);
    });
  server.process().once('exit', () => fonts?.remove());
  try {
    const browser = await chromium.connect(server.wsEndpoint(), { timeout });
    return await Pictures.connect(server, browser, timeout, fonts?.digest);
  } catch (error) {
    await server.kill();
    throw error instanceof PictureError ? error : new PictureError(`The browser failed. ${firstLine(error)}`);
  }
}

/** Returns the fonts of SVC_FONTS, the only ones of the browser; undefined without it. */
function fontSetOf(env: NodeJS.ProcessEnv): FontSet | undefined {
  if (!env.SVC_FONTS) return undefined;
  try {
    return openFontSet(env.SVC_FONTS, env);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : firstLine(error);
    throw new PictureError(
      `Cannot use the fonts in SVC_FONTS=${env.SVC_FONTS}: ${reason}.`,
      'Set it to a directory with TrueType or OpenType fonts, or unset it.',
    );
  }
}

const AS_ROOT = 'Browsers cannot be started by root with their sandbox.';
const SANDBOX_HINT =
  'Run svc as another user. If you trust the emails, pass --no-sandbox or set SVC_BROWSER_SANDBOX=0.';

function launchError(path: string, message: string): PictureError {
  if (/no usable sandbox|without --no-sandbox|sandbox_host_linux|namespace sandbox/i.test(message)) {
    return new PictureError(`${path} cannot use its sandbox on this machine.`, SANDBOX_HINT);
  }
  return new PictureError(
    `Cannot start ${path}: ${launchReason(message)}.`,
    'To use another browser, set SVC_BROWSER to its path.',
  );
}

/** Returns why a browser did not start, without the internals of playwright-core. */
function launchReason(message: string): string {
  if (/timeout \d+ms exceeded/i.test(message)) return 'it did not start in time';
  if (/session closed|failed to launch/i.test(message)) return 'it ended at once, or it is not a browser';
  return firstLine(message).replace(/\.$/, '');
}

/** A running browser. Pictures are taken one after the other. */
export class Pictures {
  #turn: Promise<unknown> = Promise.resolve();
  /** The page that the next request may load. */
  #html: string | undefined;
  #closed: Promise<void> | undefined;
  #fonts: string | undefined;

  private constructor(
    private readonly server: BrowserServer,
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly devtools: CDPSession,
    private readonly timeout: number,
    private readonly fontDigest: string | undefined,
  ) {}

  static async connect(
    server: BrowserServer,
    browser: Browser,
    timeout: number,
    fontDigest: string | undefined,
  ): Promise<Pictures> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      viewport: { width: DEFAULT_WIDTH, height: WINDOW_HEIGHT },
    });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const pictures = new Pictures(server, browser, page, devtools, timeout, fontDigest);
    await context.route('**/*', (route) => {
      const html = pictures.#html;
      if (html === undefined || route.request().url() !== PAGE_URL) return route.abort();
      // Once: neither a frame nor a redirection of the email loads it again.
      pictures.#html = undefined;
      const headers = { 'content-security-policy': POLICY, 'x-dns-prefetch-control': 'off' };
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html, headers });
    });
    return pictures;
  }

  /** Whether the browser has ended: it takes no more pictures. */
  get ended(): boolean {
    return this.#closed !== undefined;
  }

  /** The name and version of the browser. */
  get version(): string {
    return `Chromium ${this.browser.version()}`;
  }

  /** The process of the browser. */
  get pid(): number | undefined {
    return this.server.process().pid;
  }

  /** Takes a picture. @throws PictureError if the browser crashes or takes too long; then the browser has ended. */
  take(content: PictureContent, options: PictureOptions & StableOptions = {}): Promise<Picture> {
    return this.#next(() => this.#take(content, options));
  }

  /** Returns the fonts that the browser uses for the usual names, such as `Arial = Liberation Sans`. */
  fonts(): Promise<string> {
    return this.#next(async () => (this.#fonts ??= await this.#readFonts()));
  }

  /** Ends the browser, by force if it does not end by itself. */
  close(): Promise<void> {
    this.#closed ??= withinTime(this.server.close(), CLOSE_MS).catch(() => this.server.kill());
    return this.#closed;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(() => this.#bounded(work));
    this.#turn = run.catch(() => {});
    return run;
  }

  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new PictureError('The browser has ended.');
    let onCrash = () => {};
    const crash = new Promise<never>((_, reject) => {
      onCrash = () => reject(new PictureError('The browser crashed while it showed the email.'));
    });
    this.page.once('crash', onCrash);
    this.browser.once('disconnected', onCrash);
    try {
      return await withinTime(Promise.race([work(), crash]), this.timeout);
    } catch (error) {
      // The page may be in any state. A browser that hangs does not answer to a request to end.
      if (!(error instanceof OptionError)) {
        this.#closed ??= this.server.kill();
        await this.#closed;
      }
      if (error instanceof PictureError) throw error;
      if (error instanceof OutOfTime) {
        throw new PictureError(`The browser did not show the email within ${this.timeout / 1_000} s.`, SIMPLER);
      }
      throw new PictureError(`The browser failed. ${firstLine(error)}`, SIMPLER);
    } finally {
      this.page.off('crash', onCrash);
      this.browser.off('disconnected', onCrash);
    }
  }

  async #take(content: PictureContent, options: PictureOptions & StableOptions): Promise<Picture> {
    const { page, devtools } = this;
    const { width = DEFAULT_WIDTH, dark = false, stable, mask = [] } = options;
    if (!(Number.isInteger(width) && width >= PICTURE_WIDTH.min && width <= PICTURE_WIDTH.max)) {
      throw new OptionError(
        `The width of a picture must be from ${PICTURE_WIDTH.min} to ${PICTURE_WIDTH.max} pixels, not ${width}.`,
      );
    }
    await page.setViewportSize({ width, height: WINDOW_HEIGHT });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await this.#show(documentOf(content));
    if (stable) {
      const texts: string[] = await page.evaluate(READ_TEXTS);
      const changed = texts.flatMap((text, index): [number, string][] => {
        const replaced = stable(text);
        return replaced === text ? [] : [[index, replaced]];
      });
      if (changed.length > 0) await page.evaluate(writeTexts(changed));
    }
    for (const selector of mask) {
      if (!(await page.evaluate(hide(selector))))
        throw new OptionError(`Invalid CSS selector ${JSON.stringify(selector)} of a mask.`);
    }
    await page.evaluate(END_ANIMATIONS);
    const { cssContentSize } = await devtools.send('Page.getLayoutMetrics');
    const height = Math.min(Math.max(1, Math.ceil(cssContentSize.height)), HEIGHT_MAX);
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    const capture = () => devtools.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip });
    // On a busy machine, Chromium may have no frame to copy right after the size of its window has changed.
    const { data } = await capture().catch((error: unknown) => {
      if (!String(error).includes('Unable to capture screenshot')) throw error;
      return capture();
    });
    return { png: Buffer.from(data, 'base64'), width, height, cut: cssContentSize.height > HEIGHT_MAX };
  }

  async #show(html: string): Promise<void> {
    this.#html = html;
    await this.page.goto(PAGE_URL, { timeout: this.timeout });
  }

  async #readFonts(): Promise<string> {
    const { devtools } = this;
    await this.#show(FONT_NAMES.map((name) => `<p style='font-family:${name}'>Ag</p>`).join(''));
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const { root } = await devtools.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' });
    const found: string[] = [];
    for (const [index, nodeId] of nodeIds.entries()) {
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      found.push(`${FONT_NAMES[index]} = ${fonts.map(({ familyName }) => familyName).join(' + ')}`);
    }
    await devtools.send('CSS.disable');
    await devtools.send('DOM.disable');
    const set = this.fontDigest === undefined ? [] : [`SVC_FONTS = ${this.fontDigest}`];
    return [...found, ...set].join('; ');
  }
}

const SIMPLER = 'Make the HTML of the email smaller or simpler.';
/** The fonts that most emails name. */
const FONT_NAMES = ['Arial', 'Helvetica', 'Georgia', 'Verdana', 'sans-serif', 'serif', 'monospace'];

/** An option is invalid. The browser can take other pictures. */
class OptionError extends PictureError {}

class OutOfTime extends Error {}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime()), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

function documentOf({ html, text, images }: PictureContent): string {
  if (html === '') return `<!doctype html><pre style="white-space: pre-wrap">${escapeHtml(text)}</pre>`;
  return images === undefined ? html : withImages(html, images);
}

function firstLine(error: unknown): string {
  const [line = ''] = String((error as Error)?.message ?? error).split('\n');
  return line;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
