import { eachPane, type PaneName, paneNames } from './panes/index.js';
import { ROWS_MAX, type Row, type RowPage } from './panes/pane.js';

/** Holds the state of the dashboard, and how data and keys change it. Values that can be derived are not part of it. */

interface PaneState extends RowPage {
  /** The selected row and its position; undefined selects the newest row. */
  selected: { id: string; index: number } | undefined;
}

/** The content that fills the screen instead of the panes. */
type Opened = { kind: 'row'; row: Row; text: string | undefined; scroll: number } | { kind: 'help'; scroll: number };

/** The prompt that the next keys answer. */
type Prompt = { kind: 'filter'; before: string } | ChoicePrompt;

export interface ChoicePrompt {
  kind: 'choice';
  title: string;
  options: readonly { label: string; act(): void }[];
  /** The position of the selected option. */
  choice: number;
}

export interface DashboardState {
  panes: Record<PaneName, PaneState>;
  focus: PaneName;
  /** Text that rows of all panes must contain to be visible. */
  filter: string;
  opened: Opened | undefined;
  prompt: Prompt | undefined;
  notice: string | undefined;
}

export type Change =
  | { kind: 'pages'; pages: Partial<Record<PaneName, RowPage>> }
  | { kind: 'focus'; name: PaneName }
  | { kind: 'next pane'; by: number }
  | { kind: 'move'; by: number }
  /** `last` is the maximum scroll position of the text. */
  | { kind: 'scroll'; by: number; last: number }
  | { kind: 'open'; opened: Opened }
  | { kind: 'text'; row: Row; text: string }
  | { kind: 'close' }
  | { kind: 'ask'; prompt: Prompt }
  | { kind: 'choose'; by: number }
  | { kind: 'type'; filter: string }
  | { kind: 'answered' }
  | { kind: 'notice'; text: string | undefined };

export const initialState: DashboardState = {
  panes: eachPane(() => ({ rows: [], total: undefined, more: false, selected: undefined })),
  focus: 'mails',
  filter: '',
  opened: undefined,
  prompt: undefined,
  notice: undefined,
};

export function isFiltered({ filter }: DashboardState): boolean {
  return filter.trim() !== '';
}

export function visibleRows({ panes, filter }: DashboardState, name: PaneName): readonly Row[] {
  const { rows } = panes[name];
  const text = filter.trim().toLowerCase();
  return text === '' ? rows : rows.filter(({ words }) => words.includes(text));
}

/** Returns the position of the selected row among the visible ones; -1 without any. */
export function selectedIndex(state: DashboardState, name: PaneName, visible = visibleRows(state, name)): number {
  const { selected } = state.panes[name];
  if (selected === undefined) return Math.min(0, visible.length - 1);
  const found = visible.findIndex(({ id }) => id === selected.id);
  // The row was deleted or filtered out: use the row that is now at its position.
  return found === -1 ? Math.min(selected.index, visible.length - 1) : found;
}

/** Returns the row that keys act on: the open one, or the selected one of the focused pane. */
export function currentRow(state: DashboardState): Row | undefined {
  if (state.opened) return state.opened.kind === 'row' ? state.opened.row : undefined;
  const visible = visibleRows(state, state.focus);
  return visible[selectedIndex(state, state.focus, visible)];
}

/** Returns the number of rows that a pane needs, with some more to scroll to. */
export function rowsNeeded(state: DashboardState, name: PaneName): number {
  return isFiltered(state) ? ROWS_MAX : selectedIndex(state, name) + SCREENFUL;
}

const SCREENFUL = 80;

export function reduce(state: DashboardState, change: Change): DashboardState {
  switch (change.kind) {
    case 'pages': {
      const fresh = (name: PaneName) => ({ ...state.panes[name], ...change.pages[name] });
      return { ...state, panes: eachPane(fresh) };
    }
    case 'focus':
      return { ...state, focus: change.name };
    case 'next pane': {
      const place = paneNames.indexOf(state.focus) + change.by + paneNames.length;
      return { ...state, focus: paneNames[place % paneNames.length] ?? state.focus };
    }
    case 'move':
      return moveSelection(state, change.by);
    case 'scroll':
      return state.opened
        ? {
            ...state,
            opened: {
              ...state.opened,
              scroll: within(Math.min(state.opened.scroll, change.last) + change.by, change.last),
            },
          }
        : state;
    case 'open':
      return { ...state, opened: change.opened, notice: undefined };
    case 'text': {
      const { opened } = state;
      // Another row may have been opened meanwhile.
      if (opened?.kind !== 'row' || opened.row.id !== change.row.id) return state;
      return { ...state, opened: { ...opened, text: change.text } };
    }
    case 'close':
      return { ...state, opened: undefined };
    case 'ask':
      return { ...state, prompt: change.prompt, notice: undefined };
    case 'choose': {
      const { prompt } = state;
      if (prompt?.kind !== 'choice') return state;
      return { ...state, prompt: { ...prompt, choice: within(prompt.choice + change.by, prompt.options.length - 1) } };
    }
    case 'type':
      return {
        ...state,
        filter: change.filter,
        panes: eachPane((name) => ({ ...state.panes[name], selected: undefined })),
      };
    case 'answered':
      return { ...state, prompt: undefined };
    case 'notice':
      return { ...state, notice: change.text };
  }
}

function moveSelection(state: DashboardState, by: number): DashboardState {
  const { focus, panes } = state;
  const visible = visibleRows(state, focus);
  const index = within(selectedIndex(state, focus, visible) + by, visible.length - 1);
  const row = visible[index];
  // The selection at the top follows new rows.
  const selected = index === 0 || !row ? undefined : { id: row.id, index };
  return { ...state, panes: { ...panes, [focus]: { ...panes[focus], selected } } };
}

function within(value: number, last: number): number {
  return Math.min(Math.max(value, 0), Math.max(last, 0));
}
