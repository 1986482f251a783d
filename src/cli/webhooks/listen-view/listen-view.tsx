import { openView } from '../../terminal/ink/open-view.js';
import { ViewStore } from '../../terminal/ink/view-store.js';
import type { ListenSource } from '../listen/source.js';
import { ListenApp } from './listen-app.js';
import { initialState, reduce } from './listen-state.js';

/**
 * Shows what comes, live, until the signal; `quit` is called on q, `interrupt` on ^C. However it ends, the screen is as it was
 * before.
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
  // At once, before what is left to do: a webhook to remove, a server to close.
  signal.addEventListener('abort', view.leave, { once: true });
  try {
    for await (const line of source.lines(signal)) store.change({ kind: 'line', line });
  } finally {
    view.leave();
  }
  await view.ended;
}
