import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromiumPath, withoutChromium } from '../../../test/support/web/chromium-path.js';
import { noteFirstRows } from './opened-page.js';

/**
 * Runs Chromium as a user does. Playwright records all requests with the script that sent each, for which V8 parses
 * that script again: this takes a third of the first view's processor time.
 */

export interface Visit {
  /** Milliseconds from the navigation to a drawn row. */
  ms: number;
  /** Processor time of the page's main thread until then, in milliseconds. */
  cpuMs: number;
}

const OPTIONS = [
  ...['--headless', '--no-sandbox', '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-extensions', '--disable-sync', '--hide-scrollbars', '--mute-audio'],
];
const FIRST_ROW = 'window.firstRow ?? new Promise((resolve) => addEventListener("firstrow", () => resolve(firstRow)))';

export class PlainChromium {
  readonly #profile = mkdtempSync(join(tmpdir(), 'svc-bench-chromium-'));
  readonly #process = spawn(chromiumPath ?? '', [...OPTIONS, `--user-data-dir=${this.#profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #calls = 0;
  #received = '';

  constructor() {
    if (chromiumPath === undefined) throw new Error(withoutChromium);
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (this.#received + text).split('\0');
      this.#received = messages.pop() ?? '';
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  /** Opens an address with empty caches, in a new process of the browser. */
  async visit(address: string): Promise<Visit> {
    const { browserContextId } = await this.#call('Target.createBrowserContext');
    const size = { width: 1280, height: 800 };
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank', browserContextId, ...size });
    const { sessionId } = await this.#call('Target.attachToTarget', { targetId, flatten: true });
    await this.#call('Page.enable', {}, sessionId);
    await this.#call('Performance.enable', { timeDomain: 'threadTicks' }, sessionId);
    await this.#call('Page.addScriptToEvaluateOnNewDocument', { source: `(${noteFirstRows})()` }, sessionId);
    await this.#call('Page.navigate', { url: address }, sessionId);
    const { result } = await this.#call('Runtime.evaluate', { expression: FIRST_ROW, awaitPromise: true }, sessionId);
    const { metrics } = await this.#call('Performance.getMetrics', {}, sessionId);
    await this.#call('Target.disposeBrowserContext', { browserContextId });
    const task = (metrics as { name: string; value: number }[]).find(({ name }) => name === 'TaskDuration');
    return { ms: result.value, cpuMs: (task?.value ?? Number.NaN) * 1_000 };
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  // biome-ignore lint/suspicious/noExplicitAny: each method of the protocol has its own result
  #call(method: string, params: object = {}, sessionId?: string): Promise<any> {
    this.#calls += 1;
    const id = this.#calls;
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #take({ id, result, error }: { id?: number; result?: unknown; error?: { message: string } }): void {
    const call = this.#waiting.get(id ?? 0);
    this.#waiting.delete(id ?? 0);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  }
}
