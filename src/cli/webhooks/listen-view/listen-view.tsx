import { openView } from '../../terminal/ink/open-view.js';
import { ViewStore } from '../../terminal/ink/view-store.js';
import type { ListenSource } from '../listen/source.js';
import { ListenApp } from './listen-app.js';
import { initialState, reduce } from './listen-state.js';

/**
 * Shows events as they arrive until the signal. Calls `quit` on q and `interrupt` on ^C. Restores the screen in any
 * case.
 */
export async function showListening(
  source: ListenSource,
  { baseUrl, signal, quit, interrupt }: { baseUrl: string; signal: AbortSignal; quit(): void; interrupt(): void },
): Promise<void> {
  const store = new ViewStore(initialState, reduce);
  const replay = source.replay.bind(source);
  const view = await openView(
    (suspend) => <ListenApp {...{ store, baseUrl, replay, quit, interrupt, suspend }} />,
    quit,
  );
  // Closes the view at once, before the cleanup: deleting a webhook or stopping a server.
  signal.addEventListener('abort', view.leave, { once: true });
  try {
    for await (const line of source.lines(signal)) store.change({ kind: 'line', line });
  } finally {
    view.leave();
  }
  await view.ended;
}
