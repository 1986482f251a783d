import { type Instance, type RenderOptions, render } from 'ink';
import type { ReactNode } from 'react';
import { hasSignals } from '../../../system.js';
import { pause } from '../../process/write-stdout.js';
import { isInForeground } from '../capabilities.js';
import { enterAlternateScreen } from './alternate-screen.js';
import { prepareEngine } from './layout-engine.js';

export interface OpenView {
  /** Closes the view and restores the screen. It can be called more than once. */
  leave(): void;
  /** Resolves when the view is closed. @throws the error that ended the view. */
  ended: Promise<void>;
}

/**
 * Shows a view on the terminal's alternate screen until `leave` is called. When the view fails, it is closed and
 * `onFailure` is called. The screen is also restored when an error or a signal ends the process.
 * `view` gets the function for ^Z: it returns the terminal to the shell until the job is in the foreground again.
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
    // Ink reads keys only after its first frame. Before that, the system would stop the process at ^Z.
    process.stdin.setRawMode(true);
    const restore = enterAlternateScreen(process.stdout);
    const app = render(view(suspend), { exitOnCtrlC: false, ...options });
    hide = () => {
      hide = undefined;
      app.unmount();
      process.stdin.setRawMode(false);
      restore();
    };
    whenBroken(app, (error) => {
      fail(error);
      leave();
      onFailure();
    });
  };
  // Deferred, because the view that handles the key is removed.
  const suspend = () => setImmediate(() => void suspendView());
  const suspendView = async () => {
    if (!hide || !hasSignals()) return;
    hide();
    await suspendProcess(left.signal);
    if (!left.signal.aborted) show();
  };

  // Restores the screen before Node prints the error, which would otherwise be on the alternate screen.
  process.once('uncaughtExceptionMonitor', leave);
  show();
  return { leave, ended };
}

/** Returns a promise and its functions. Only the first call has an effect. */
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

/** Ignores failed writes to a closed terminal. SIGHUP follows, and its handlers must be able to clean up. */
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
 * Keeps a signal handler while the view is open. Without any handler, ink ends the process on a signal, before the
 * command has cleaned up. The command removes its own handler after the first signal.
 */
function holdSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const hold = () => {};
  for (const signal of signals) process.on(signal, hold);
  return () => {
    for (const signal of signals) process.removeListener(signal, hold);
  };
}

/** Interval of checks, because no signal reports that a background job is brought to the foreground. */
const LOOK_EVERY_MS = 300;

/**
 * Stops the job that this process belongs to, as ^Z does. Resolves when the job continues in the foreground, or with
 * the signal.
 * No key is read until then: if the job continues in the background (`bg`), reading would stop it, and the server of
 * `svc dev` must keep running. Without a shell that could continue the job, the system does not stop it.
 */
async function suspendProcess(signal: AbortSignal): Promise<void> {
  // Reading is paused in the next tick, because the view's listeners are removed only then.
  process.nextTick(() => process.stdin.pause());
  process.kill(0, 'SIGTSTP');
  while (!signal.aborted && !isInForeground()) await pause(LOOK_EVERY_MS, signal);
}
