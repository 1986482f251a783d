import type { Key } from 'ink';
import { oneLine } from '../output/text.js';
import { useKeyPresses } from '../terminal/ink/use-key-presses.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import type { DashboardActions } from './actions.js';
import { paneNames } from './panes/index.js';
import { type Change, chosenOutcome, currentRow, type DashboardState, type Prompt } from './state.js';

export interface KeyDeps {
  store: ViewStore<DashboardState, Change>;
  actions: DashboardActions;
  /** Quits as ^C would. */
  quit(): void;
  /** Suspends the process, for ^Z. */
  suspend(): void;
  /** Whether the view is visible; else the only key is the one to quit. */
  visible: boolean;
  /** How many rows a page has. */
  page: number;
  /** How far the open text can be scrolled. */
  scrollLast: number;
}

/** Maps keys to actions. */
export function useKeys({ store, actions, quit, suspend, visible, page, scrollLast }: KeyDeps): void {
  useKeyPresses((input, key) => {
    const state = store.current();
    // ^C: on a terminal in raw mode it is a key like any other.
    if ((key.ctrl && input === 'c') || (!visible && input === 'q')) quit();
    else if (key.ctrl && input === 'z') suspend();
    else if (!visible) return;
    else if (state.prompt?.kind === 'filter') typeFilter(state.prompt, state.filter, input, key);
    else if (state.prompt) choose(state, state.prompt, input, key);
    else if (input === 'q') state.opened ? store.change({ kind: 'close' }) : quit();
    else if (input === 's') askOutcome(state);
    else if (input === 'r') replay(state);
    else if (input === '?') store.change(state.opened?.kind === 'help' ? { kind: 'close' } : openHelp);
    else if (state.opened) read(input, key);
    else look(state, input, key);
  }, paste);

  /** Uses the first line of pasted text for the filter; elsewhere a paste is ignored, so its letters are not keys. */
  function paste(text: string): void {
    const { prompt, filter } = store.current();
    if (prompt?.kind === 'filter') store.change({ kind: 'type', filter: oneLine(filter + firstLine(text)) });
  }

  /** Handles a key among the panes. */
  function look(state: DashboardState, input: string, key: Key): void {
    const by = distance(input, key);
    const row = currentRow(state);
    if (by !== undefined) store.change({ kind: 'move', by });
    else if (key.tab || key.rightArrow || key.leftArrow) {
      store.change({ kind: 'next pane', by: key.leftArrow || key.shift ? -1 : 1 });
    } else if (key.return && row) void actions.open(row);
    else if (input === 'f' || input === '/')
      store.change({ kind: 'ask', prompt: { kind: 'filter', before: state.filter } });
    else if (key.escape) store.change({ kind: 'type', filter: '' });
    else {
      const name = paneNames[Number(input) - 1];
      if (name) store.change({ kind: 'focus', name });
    }
  }

  /** Handles a key in an open text. */
  function read(input: string, key: Key): void {
    const by = distance(input, key);
    if (by !== undefined) store.change({ kind: 'scroll', by, last: scrollLast });
    else if (key.return || key.escape) store.change({ kind: 'close' });
  }

  function typeFilter({ before }: Prompt & { kind: 'filter' }, filter: string, input: string, key: Key): void {
    if (key.return) store.change({ kind: 'answered' });
    else if (key.escape) {
      store.change({ kind: 'type', filter: before });
      store.change({ kind: 'answered' });
    } else if (key.ctrl && input === 'u') store.change({ kind: 'type', filter: '' });
    else if (key.backspace || key.delete) store.change({ kind: 'type', filter: [...filter].slice(0, -1).join('') });
    else if (!key.ctrl && !key.meta && !key.tab) store.change({ kind: 'type', filter: oneLine(filter + input) });
  }

  function askOutcome(state: DashboardState): void {
    const email = currentRow(state)?.email;
    if (email === undefined) store.change({ kind: 'notice', text: 's works on emails: press 1 for the emails pane.' });
    else store.change({ kind: 'ask', prompt: { kind: 'outcome', email, choice: 0 } });
  }

  function choose(state: DashboardState, prompt: Prompt, input: string, key: Key): void {
    const outcome = chosenOutcome(state);
    const by = distance(input, key);
    if (key.escape) store.change({ kind: 'answered' });
    else if (by !== undefined) store.change({ kind: 'choose', by });
    else if (key.return && outcome && prompt.kind === 'outcome') {
      store.change({ kind: 'answered' });
      void actions.simulate(prompt.email.id, outcome);
    }
  }

  function replay(state: DashboardState): void {
    const row = currentRow(state);
    if (row?.replay) void actions.replay(row);
    else store.change({ kind: 'notice', text: 'r works on events and deliveries: press 2 or 3 for their panes.' });
  }

  /** Returns the number of rows that a key moves by. */
  function distance(input: string, key: Key): number | undefined {
    if (key.upArrow || input === 'k') return -1;
    if (key.downArrow || input === 'j') return 1;
    if (key.pageUp) return -page;
    if (key.pageDown || input === ' ') return page;
    if (key.home || input === 'g') return Number.NEGATIVE_INFINITY;
    if (key.end || input === 'G') return Number.POSITIVE_INFINITY;
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
}

const openHelp: Change = { kind: 'open', opened: { kind: 'help', scroll: 0 } };
