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
  const letGo = holdSignals();
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
    letGo();
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

/**
 * ink ends the process on a signal that nobody else listens to, and the command stops listening with the first one. While
 * ink is there, somebody listens, so that what is to be undone is undone.
 */
function holdSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const hold = () => {};
  for (const signal of signals) process.on(signal, hold);
  return () => {
    for (const signal of signals) process.removeListener(signal, hold);
  };
}
