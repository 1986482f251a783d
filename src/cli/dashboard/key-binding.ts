import type { Key } from 'ink';
import type { ViewStore } from '../terminal/ink/use-redraw.js';
import type { DashboardActions } from './actions.js';
import type { Change, DashboardState } from './state.js';

/** Defines the form of a key binding, and how it recognizes keys. */

export interface KeyDeps {
  store: ViewStore<DashboardState, Change>;
  actions: DashboardActions;
  /** Stops the server, as ^C does. */
  quit(): void;
  /** Whether the server keeps email in memory only. */
  inMemory: boolean;
  suspend(): void;
  /** Number of rows that a page key moves by. */
  page: number;
  /** Last line that the open text can be scrolled to. */
  scrollLast: number;
}

/** The mode that a key acts in. `hidden` means that the terminal is too small to show anything. */
export type Mode = 'panes' | 'opened' | 'filter' | 'choice' | 'confirm' | 'hidden';

export interface Press extends KeyDeps {
  input: string;
  key: Key;
  state: DashboardState;
}

export interface Binding {
  /** Keys and their action, for the help; undefined for a second action of the same keys. */
  help?: readonly [keys: string, text: string][];
  modes: readonly Mode[];
  matches(press: Press): boolean;
  act(press: Press): void;
}

export const is =
  (...inputs: string[]) =>
  ({ input, key }: Press) =>
    !key.ctrl && inputs.includes(input);
export const isControl =
  (letter: string) =>
  ({ input, key }: Press) =>
    key.ctrl && input === letter;

/** Returns the number of rows that a key moves by. */
export function distance({ input, key, page }: Press): number | undefined {
  if (key.upArrow || input === 'k') return -1;
  if (key.downArrow || input === 'j') return 1;
  if (key.pageUp) return -page;
  if (key.pageDown || input === ' ') return page;
  if (key.home || input === 'g') return Number.NEGATIVE_INFINITY;
  if (key.end || input === 'G') return Number.POSITIVE_INFINITY;
  return undefined;
}
