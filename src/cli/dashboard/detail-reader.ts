import type { Client } from '../../client/client.js';
import { oneLine } from '../output/text.js';
import { AsyncSignal } from '../process/async-signal.js';
import { pause } from '../process/pause.js';
import type { CommandLine } from '../process/shell-quote.js';
import { systemNow } from '../process/system-time.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import type { Row } from './panes/pane.js';
import { type Change, type DashboardState, detailedRow } from './state.js';

/** Clients that send email have priority: reading takes at most a tenth of the time. */
const REST_PER_WORK = 9;
const REST_MIN_MS = 50;

/** Reads the details of the visible row: when another one is selected, and after its pane was read again. */
export async function readDetails(
  client: Client,
  command: CommandLine,
  store: ViewStore<DashboardState, Change>,
  signal: AbortSignal,
): Promise<void> {
  const changed = new AsyncSignal();
  const notify = () => changed.notify();
  const unsubscribe = store.subscribe(notify);
  signal.addEventListener('abort', notify, { once: true });
  let read: Row | undefined;
  while (!signal.aborted) {
    const row = detailedRow(store.current());
    if (row === undefined || row === read) {
      await changed.wait();
      continue;
    }
    const began = systemNow();
    const text = await row.open(client, command).catch((error: Error) => `Cannot load: ${oneLine(error.message)}`);
    const took = Math.max(0, systemNow() - began);
    read = row;
    if (!signal.aborted) store.change({ kind: 'detail', id: row.id, text });
    await pause(Math.max(REST_MIN_MS, took * REST_PER_WORK), signal);
  }
  unsubscribe();
}
