import type { Client } from '../../client/client.js';
import { systemNow } from '../output/local-time.js';
import { AsyncSignal } from '../process/signals.js';
import { pause } from '../process/write-stdout.js';
import { eachPane, type PaneName, paneNames, panes } from './panes/index.js';
import { ROWS_MAX, ROWS_STEP, type RowPage } from './panes/pane.js';
import type { Summary } from './state.js';

/**
 * Reads the rows of the panes and the summary after a change: at most four times a second, and for at most a tenth of
 * the time, because clients that send email have priority.
 */

const FRAME_MS = 250;
export const REST_PER_WORK = 9;
/**
 * Number of emails from which the summary is read less often: the server counts all of them, which takes about 30 ms
 * for 300,000, and does nothing else meanwhile.
 */
const MANY_EMAILS = 50_000;
const COUNT_REST_MS = 2_000;
/** The pause after a read that failed. */
const RETRY_MS = 1_000;

/** The panes that a notification of each stream may change. */
const streams = {
  'events.stream': ['mails', 'events', 'deliveries'],
  'deliveries.stream': ['deliveries'],
  // A scheduled email has no event yet.
  'requests.stream': ['requests', 'mails'],
  'smtp-sessions.stream': ['smtp'],
} as const satisfies Record<string, readonly PaneName[]>;

/** The panes whose changes change the summary. */
const COUNTED: ReadonlySet<PaneName> = new Set<PaneName>(['mails', 'deliveries']);

export interface FeedListener {
  onPages(pages: Partial<Record<PaneName, RowPage>>): void;
  onSummary(summary: Summary): void;
  onError(error: Error): void;
}

export class DashboardFeed {
  readonly #changed = new AsyncSignal();
  readonly #stale = new Set<PaneName>();
  readonly #wanted = eachPane(() => ROWS_STEP);
  #countsStale = false;
  /** System time before which the summary is not read. */
  #countAgainAt = 0;

  constructor(
    private readonly client: Client,
    private readonly listener: FeedListener,
    private readonly now: () => number = systemNow,
  ) {}

  /** Requests a number of rows for a pane. It gets fewer if fewer exist, or at the maximum of a pane. */
  want(name: PaneName, rows: number): void {
    const wanted = Math.min(ROWS_MAX, Math.ceil(rows / ROWS_STEP) * ROWS_STEP);
    if (wanted === this.#wanted[name]) return;
    const more = wanted > this.#wanted[name];
    this.#wanted[name] = wanted;
    if (more) this.refresh([name]);
  }

  refresh(names: readonly PaneName[] = paneNames): void {
    for (const name of names) this.#stale.add(name);
    if (names.some((name) => COUNTED.has(name))) this.#countsStale = true;
    this.#changed.notify();
  }

  /** Reads until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const notify = () => this.#changed.notify();
    signal.addEventListener('abort', notify, { once: true });
    const watching = Object.entries(streams).map(([stream, names]) =>
      this.#watch(stream as keyof typeof streams, names, signal),
    );
    this.refresh();
    while (!signal.aborted) {
      await this.#changed.wait();
      const began = this.now();
      const failed = await this.#read(signal);
      const took = Math.max(0, this.now() - began);
      await pause(failed ? RETRY_MS : Math.max(FRAME_MS, took * REST_PER_WORK), signal);
    }
    await Promise.all(watching);
  }

  /** Reads the panes that are due, and the summary. Returns whether it failed; then they remain due. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const names = [...this.#stale];
    this.#stale.clear();
    const counting = this.#countsStale && this.now() >= this.#countAgainAt;
    if (counting) this.#countsStale = false;
    if (names.length === 0 && !counting) return false;
    try {
      const read = names.map(async (name) => [name, await panes[name].read(this.client, this.#wanted[name])] as const);
      const [pages, summary] = await Promise.all([
        Promise.all(read),
        counting ? this.client.control('summary', {}) : undefined,
      ]);
      if (signal.aborted) return false;
      this.listener.onPages(Object.fromEntries(pages));
      if (summary) this.#show(summary, signal);
      return false;
    } catch (error) {
      if (signal.aborted) return false;
      if (counting) this.#countsStale = true;
      this.refresh(names);
      this.listener.onError(error as Error);
      return true;
    }
  }

  /** Passes on a summary. If it counted many emails, the next one is read after a rest. */
  #show(summary: Summary, signal: AbortSignal): void {
    this.listener.onSummary(summary);
    const emails = Object.values(summary.emails).reduce((sum, count) => sum + count, 0);
    if (emails < MANY_EMAILS) return;
    this.#countAgainAt = this.now() + COUNT_REST_MS;
    void pause(COUNT_REST_MS, signal).then(() => this.#changed.notify());
  }

  /**
   * Notifies when something arrives on a stream. It then closes the stream and opens it again, so that a burst of
   * events costs no more than one. Changes in between are read once the stream is open.
   */
  async #watch(stream: keyof typeof streams, names: readonly PaneName[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const chunks = this.client.stream(stream, {}, signal);
      try {
        // The first chunk means that the stream misses nothing from now on.
        for (let chunk = 0; chunk < 2; chunk += 1) {
          const { done } = await chunks.next();
          if (signal.aborted) return;
          this.refresh(names);
          if (done) break;
        }
      } catch (error) {
        if (!signal.aborted) this.listener.onError(error as Error);
        await pause(RETRY_MS, signal);
      } finally {
        await chunks.return(undefined);
      }
      await pause(FRAME_MS, signal);
    }
  }
}
