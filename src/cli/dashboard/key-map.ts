import type { Key } from 'ink';
import { oneLine } from '../output/text.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import type { DashboardActions } from './actions.js';
import { paneNames } from './panes/index.js';
import { type Change, currentRow, type DashboardState } from './state.js';

/** Defines the dashboard’s keys: their action, the mode they work in, and their help. */

export interface KeyDeps {
  store: ViewStore<DashboardState, Change>;
  actions: DashboardActions;
  /** Stops the server, as ^C does. */
  quit(): void;
  suspend(): void;
  /** Number of rows that a page key moves by. */
  page: number;
  /** Last line that the open text can be scrolled to. */
  scrollLast: number;
}

/** The mode that a key acts in. `hidden` means that the terminal is too small to show anything. */
export type Mode = 'panes' | 'opened' | 'filter' | 'choice' | 'hidden';

interface Press extends KeyDeps {
  input: string;
  key: Key;
  state: DashboardState;
}

interface Binding {
  /** The keys and their action, for the help; undefined for a second action of the same keys. */
  help?: [keys: string, text: string];
  modes: readonly Mode[];
  matches(press: Press): boolean;
  act(press: Press): void;
}

const EVERYWHERE: readonly Mode[] = ['panes', 'opened', 'filter', 'choice', 'hidden'];
const VIEWS: readonly Mode[] = ['panes', 'opened'];

const is =
  (...inputs: string[]) =>
  ({ input }: Press) =>
    inputs.includes(input);
const isControl =
  (letter: string) =>
  ({ input, key }: Press) =>
    key.ctrl && input === letter;
const moves = (press: Press) => distance(press) !== undefined;

/** The bindings in the order of the help. */
export const bindings: readonly Binding[] = [
  {
    help: ['tab  ← →  1-4', 'switch pane: emails, events, webhook deliveries, requests'],
    modes: ['panes'],
    matches: ({ input, key }) => key.tab || key.rightArrow || key.leftArrow || paneAt(input) !== undefined,
    act: switchPane,
  },
  {
    help: ['↑ ↓  pgup pgdn', 'select a row; home selects the newest, and new rows scroll in'],
    modes: ['panes'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'move', by: distance(press) ?? 0 }),
  },
  {
    modes: ['opened'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'scroll', by: distance(press) ?? 0, last: press.scrollLast }),
  },
  {
    modes: ['choice'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'choose', by: distance(press) ?? 0 }),
  },
  {
    help: ['enter', 'open or close the selected row; esc and q close it too'],
    modes: ['panes'],
    matches: ({ key }) => key.return,
    act: openRow,
  },
  { modes: ['opened'], matches: ({ key }) => key.return || key.escape, act: close },
  {
    modes: ['panes'],
    matches: ({ key }) => key.escape,
    act: ({ store }) => store.change({ kind: 'type', filter: '' }),
  },
  {
    help: ['s', 'simulate an outcome for the email: a bounce, an open, a click'],
    modes: VIEWS,
    matches: is('s'),
    act: askOutcome,
  },
  { help: ['r', 'replay the delivery or event'], modes: VIEWS, matches: is('r'), act: replay },
  {
    help: ['f  /', 'filter all panes by text'],
    modes: ['panes'],
    matches: is('f', '/'),
    act: ({ store, state }) => store.change({ kind: 'ask', prompt: { kind: 'filter', before: state.filter } }),
  },
  { help: ['?', 'show or close this help'], modes: VIEWS, matches: is('?'), act: toggleHelp },
  {
    help: ['q', 'stop the server; in an open row, go back'],
    modes: ['panes', 'hidden'],
    matches: is('q'),
    act: ({ quit }) => quit(),
  },
  { modes: ['opened'], matches: is('q'), act: close },
  {
    help: ['^C', 'stop the server; press again to stop it at once'],
    modes: EVERYWHERE,
    matches: isControl('c'),
    act: ({ quit }) => quit(),
  },
  {
    help: ['^Z', 'suspend the dashboard; fg resumes it'],
    modes: EVERYWHERE,
    matches: isControl('z'),
    act: ({ suspend }) => suspend(),
  },
  { modes: ['filter', 'choice'], matches: ({ key }) => key.escape, act: cancelPrompt },
  { modes: ['filter'], matches: ({ key }) => key.return, act: ({ store }) => store.change({ kind: 'answered' }) },
  { modes: ['choice'], matches: ({ key }) => key.return, act: choose },
  {
    modes: ['filter'],
    matches: isControl('u'),
    act: ({ store }) => store.change({ kind: 'type', filter: '' }),
  },
  {
    modes: ['filter'],
    matches: ({ key }) => key.backspace || key.delete,
    act: ({ store, state }) => store.change({ kind: 'type', filter: [...state.filter].slice(0, -1).join('') }),
  },
  {
    modes: ['filter'],
    matches: ({ key }) => !key.ctrl && !key.meta && !key.tab,
    act: ({ store, state, input }) => store.change({ kind: 'type', filter: oneLine(state.filter + input) }),
  },
];

export function modeOf({ prompt, opened }: DashboardState, visible: boolean): Mode {
  if (!visible) return 'hidden';
  if (prompt) return prompt.kind === 'filter' ? 'filter' : 'choice';
  return opened ? 'opened' : 'panes';
}

function paneAt(input: string) {
  return paneNames[Number(input) - 1];
}

function switchPane({ store, input, key }: Press): void {
  const name = paneAt(input);
  if (name) store.change({ kind: 'focus', name });
  else store.change({ kind: 'next pane', by: key.leftArrow || key.shift ? -1 : 1 });
}

function openRow({ state, actions }: Press): void {
  const row = currentRow(state);
  if (row) void actions.open(row);
}

function close({ store }: Press): void {
  store.change({ kind: 'close' });
}

function toggleHelp({ store, state }: Press): void {
  if (state.opened?.kind === 'help') store.change({ kind: 'close' });
  else store.change({ kind: 'open', opened: { kind: 'help', scroll: 0 } });
}

function askOutcome({ store, state, actions }: Press): void {
  const email = currentRow(state)?.email;
  if (email === undefined) store.change({ kind: 'notice', text: 's works on emails: press 1 for the emails pane.' });
  else actions.askOutcome(email);
}

function choose({ store, state: { prompt } }: Press): void {
  if (prompt?.kind !== 'choice') return;
  store.change({ kind: 'answered' });
  prompt.options[prompt.choice]?.act();
}

function replay({ store, state, actions }: Press): void {
  const row = currentRow(state);
  if (row?.replay) void actions.replay(row);
  else store.change({ kind: 'notice', text: 'r works on events and deliveries: press 2 or 3 for their panes.' });
}

function cancelPrompt({ store, state }: Press): void {
  if (state.prompt?.kind === 'filter') store.change({ kind: 'type', filter: state.prompt.before });
  store.change({ kind: 'answered' });
}

/** Returns the number of rows that a key moves by. */
function distance({ input, key, page }: Press): number | undefined {
  if (key.upArrow || input === 'k') return -1;
  if (key.downArrow || input === 'j') return 1;
  if (key.pageUp) return -page;
  if (key.pageDown || input === ' ') return page;
  if (key.home || input === 'g') return Number.NEGATIVE_INFINITY;
  if (key.end || input === 'G') return Number.POSITIVE_INFINITY;
  return undefined;
}
