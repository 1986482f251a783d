import { render } from 'ink';
import type { ListenSource } from '../listen-line.js';
import { ListenApp } from './listen-app.js';
import { takeScreen } from './screen.js';
import { ViewStore } from './view-store.js';

/**
 * Shows what comes, live, until the signal; `quit` is called on q, `interrupt` on ^C. However it ends, the screen is as it was
 * before.
 */
export async function showListening(
  source: ListenSource,
  { baseUrl, signal, quit, interrupt }: { baseUrl: string; signal: AbortSignal; quit(): void; interrupt(): void },
): Promise<void> {
  const store = new ViewStore();
  const restore = takeScreen(process.stdout);
  const replay = source.replay.bind(source);
  const props = { store, baseUrl, replay, quit, interrupt };
  const app = render(<ListenApp {...props} />, { exitOnCtrlC: false });
  const failed = app.waitUntilExit().then(
    () => undefined,
    (error: unknown) => {
      quit();
      return error;
    },
  );
  const leave = () => {
    app.unmount();
    restore();
  };
  // At once, before what is left to do: a webhook to remove, a server to close.
  signal.addEventListener('abort', leave, { once: true });
  try {
    for await (const line of source.lines(signal)) store.change({ kind: 'line', line });
  } finally {
    leave();
  }
  const error = await failed;
  if (error !== undefined) throw error;
}
