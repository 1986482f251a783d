import { type Instance, type RenderOptions, render } from 'ink';
import type { ReactNode } from 'react';
import { enterAlternateScreen } from './alternate-screen.js';
import { prepareEngine } from './layout-engine.js';
import { suspendProcess } from './suspend.js';

export interface OpenView {
  /** Gives the screen back as it was; any number of times. */
  leave(): void;
  /** Resolves once it has been left. @throws what broke the view. */
  ended: Promise<void>;
}

/**
 * Shows a view on the terminal's second screen until it is left, by itself when it breaks: then `onFailure` is called. Also
 * when the process ends by an error or a signal, the screen is as it was before. The view is given what ^Z is to do: the
 * terminal is the shell's until the job is back in the foreground.
 */
export async function openView(
  view: (suspend: () => void) => ReactNode,
  onFailure: () => void,
  options: RenderOptions = {},
): Promise<OpenView> {
  await prepareEngine();
  outliveTerminal();
  const releaseSignals = holdSignals();
  const left = new AbortController();
  const { ended, end, fail } = outcome();
  let hide: (() => void) | undefined;

  const leave = () => {
    process.removeListener('uncaughtExceptionMonitor', leave);
    left.abort();
    hide?.();
    releaseSignals();
    end();
  };
  const show = () => {
    const restore = enterAlternateScreen(process.stdout);
    const app = render(view(suspend), { exitOnCtrlC: false, ...options });
    hide = () => {
      hide = undefined;
      app.unmount();
      restore();
    };
    whenBroken(app, (error) => {
      fail(error);
      leave();
      onFailure();
    });
  };
  // Not while a key is being handled, by the view that is to go.
  const suspend = () => setImmediate(() => void suspendView());
  const suspendView = async () => {
    if (!hide || process.platform === 'win32') return;
    hide();
    await suspendProcess(left.signal);
    if (!left.signal.aborted) show();
  };

  // Before Node prints the error, which would go with the second screen.
  process.once('uncaughtExceptionMonitor', leave);
  show();
  return { leave, ended };
}

/** What a view comes to; the first word on it counts. */
function outcome(): { ended: Promise<void>; end(): void; fail(error: unknown): void } {
  let end = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  ended.catch(() => {});
  return { ended, end, fail };
}

function whenBroken(app: Instance, broken: (error: unknown) => void): void {
  app.waitUntilExit().catch(broken);
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
