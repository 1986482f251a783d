import { type RenderOptions, render } from 'ink';
import type { ReactNode } from 'react';
import { prepareEngine } from './layout-engine.js';
import { takeScreen } from './screen.js';

export interface OpenView {
  /** Gives the screen back as it was; any number of times. */
  leave(): void;
  /** Resolves once it has been left. @throws what broke the view. */
  ended: Promise<void>;
}

/**
 * Shows a view on the terminal's second screen until it is left, by itself when it breaks: then `onFailure` is called. Also
 * when the process ends by an error or a signal, the screen is as it was before.
 */
export async function openView(view: ReactNode, onFailure: () => void, options: RenderOptions = {}): Promise<OpenView> {
  await prepareEngine();
  outliveTerminal();
  const restore = takeScreen(process.stdout);
  const letGo = holdSignals();
  const app = render(view, { exitOnCtrlC: false, ...options });
  const leave = () => {
    process.removeListener('uncaughtExceptionMonitor', leave);
    app.unmount();
    restore();
    letGo();
  };
  // Before Node prints the error, which would go with the second screen.
  process.once('uncaughtExceptionMonitor', leave);
  const ended = app.waitUntilExit().then(
    () => {},
    (error: unknown) => {
      leave();
      onFailure();
      throw error;
    },
  );
  ended.catch(() => {});
  return { leave, ended };
}

/** What is written to a terminal that was closed fails; SIGHUP says so, and what is to be undone must be undone. */
function outliveTerminal(): void {
  for (const stream of [process.stdin, process.stdout, process.stderr]) {
    const others = stream.listeners('error');
    stream.removeAllListeners('error');
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EIO') return;
      if (others.length === 0) throw error;
      for (const other of others) other.call(stream, error);
    });
  }
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
