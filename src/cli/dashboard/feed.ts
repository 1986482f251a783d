import type { Client } from '../../client/client.js';
import { AsyncSignal } from '../process/async-signal.js';
import { pause } from '../process/pause.js';
import { systemNow } from '../process/system-time.js';
import { eachPane, type PaneName, paneNames, panes } from './panes/index.js';
import { ROWS_MAX, ROWS_STEP, type RowPage } from './panes/pane.js';
import type { Summary } from './state.js';

/**
 * Reads the rows of the panes and the summary after a change: at most four times a second. Rows take at most a tenth of
 * the time, because clients that send email have priority. The summary takes at most a fiftieth, because it counts all
 * emails, and the server does nothing else meanwhile.
 */

const FRAME_MS = 250;
const REST_PER_ROWS = 9;
const REST_PER_SUMMARY = 49;
/** The pause after a read that failed. */
const RETRY_MS = 1_000;

/** The panes that a notification of each stream may change. */
const streams = {
  'events.stream': ['mails', 'events', 'deliveries'],
  'deliveries.stream': ['deliveries'],
  // A scheduled email has no event yet.
  'requests.stream': ['requests', 'mails'],
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
  readonly #countsChanged = new AsyncSignal();
  readonly #stale = new Set<PaneName>();
  readonly #wanted = eachPane(() => ROWS_STEP);

  constructor(
    private readonly client: Client,
    private readonly listener: FeedListener,
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
    this.#changed.notify();
    if (names.some((name) => COUNTED.has(name))) this.#countsChanged.notify();
  }

  /** Reads until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const watching = Object.entries(streams).map(([stream, names]) =>
      this.#watch(stream as keyof typeof streams, names, signal),
    );
    this.refresh();
    await Promise.all([
      this.#repeat(this.#changed, REST_PER_ROWS, () => this.#readRows(signal), signal),
      this.#repeat(this.#countsChanged, REST_PER_SUMMARY, () => this.#readSummary(signal), signal),
      ...watching,
    ]);
  }

  /** Reads after each change. Then rests for a multiple of the time that the read took. */
  async #repeat(
    changed: AsyncSignal,
    restPerRead: number,
    read: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    signal.addEventListener('abort', () => changed.notify(), { once: true });
    while (!signal.aborted) {
      await changed.wait();
      if (signal.aborted) return;
      const began = systemNow();
      const failure = await read().catch((error: Error) => error);
      if (signal.aborted) return;
      if (failure) {
        changed.notify();
        this.listener.onError(failure);
      }
      const took = Math.max(0, systemNow() - began);
      await pause(failure ? RETRY_MS : Math.max(FRAME_MS, took * restPerRead), signal);
    }
  }

  /** Reads the panes that are due. They remain due if it fails. */
  async #readRows(signal: AbortSignal): Promise<void> {
    const names = [...this.#stale];
    this.#stale.clear();
    try {
      const read = names.map(async (name) => [name, await panes[name].read(this.client, this.#wanted[name])] as const);
      const pages = await Promise.all(read);
      if (!signal.aborted) this.listener.onPages(Object.fromEntries(pages));
    } catch (error) {
      for (const name of names) this.#stale.add(name);
      throw error;
    }
  }

  async #readSummary(signal: AbortSignal): Promise<void> {
    const summary = await this.client.control('summary', {});
    if (!signal.aborted) this.listener.onSummary(summary);
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
