import { useStdout } from 'ink';
import { useEffect, useState } from 'react';
import { isInForeground } from '../capabilities.js';
import { clearScreen } from './alternate-screen.js';

/**
 * Redraws the view when the process continues after a stop (^Z, then fg). Meanwhile the shell may have written on the
 * screen, changed how keys are read, and resized the terminal.
 */
export function useRedraw(): void {
  const { stdout, write } = useStdout();
  useEffect(() => {
    const onContinue = () => {
      // The system would stop a background job that changes a terminal setting.
      if (!isInForeground()) return;
      readKeysAgain();
      process.emit('SIGWINCH', 'SIGWINCH');
      clearScreen(stdout);
      // A write through ink makes it draw its last frame again.
      write('');
    };
    process.on('SIGCONT', onContinue);
    return () => {
      process.removeListener('SIGCONT', onContinue);
    };
  }, [stdout, write]);
}

/** Turns raw mode off first, because Node ignores a call that does not change it. */
function readKeysAgain(): void {
  if (!process.stdin.isRaw) return;
  process.stdin.setRawMode(false);
  process.stdin.setRawMode(true);
}

/** Returns the terminal's size, and updates when it changes. */
export function useTerminalSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const measure = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const [size, setSize] = useState(measure);
  useEffect(() => {
    const resized = () => setSize(measure());
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  });
  return size;
}

/** Holds a view's state. Code outside of React changes it, and React components subscribe to it. */
export class ViewStore<State, Change> {
  readonly #listeners = new Set<() => void>();

  constructor(
    private state: State,
    private readonly reduce: (state: State, change: Change) => State,
  ) {}

  readonly change = (change: Change): void => {
    this.state = this.reduce(this.state, change);
    for (const listener of this.#listeners) listener();
  };

  readonly current = (): State => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns the first row to show, so that the selected one is visible. */
export function firstVisible(count: number, selected: number, room: number): number {
  return Math.min(Math.max(0, count - room), Math.max(0, selected - Math.floor(room / 2)));
}
