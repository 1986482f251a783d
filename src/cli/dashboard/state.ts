import { panes as definitions, eachPane, type PaneName, paneNames } from './panes/index.js';
import { type Column, ROWS_MAX, type Row, type RowPage, textOf } from './panes/pane.js';

/** Holds the state of the dashboard, and how data and keys change it. Values that can be derived are not part of it. */

interface PaneState extends RowPage {
  /** The selected row and its position; undefined selects the newest row. */
  selected: { id: string; index: number } | undefined;
  /** The position of the column that rows are sorted by; undefined for the newest first. */
  sort: number | undefined;
}

/** What keys scroll: the selected row's details, or the help. */
type Opened = { kind: 'row'; row: Row; scroll: number } | { kind: 'help'; scroll: number };

/** A choice, and what it does. */
export interface ChoiceItem {
  label: string;
  act(): void;
}

/** The prompt that the next keys answer. */
type Prompt =
  | { kind: 'filter'; before: string }
  | { kind: 'choice'; title: string; items: readonly ChoiceItem[]; index: number }
  | { kind: 'confirm'; question: string; act(): void };

/** What the status bar counts. */
export interface Summary {
  emails: Record<string, number>;
  failing_webhooks: number;
}

export interface DashboardState {
  /** Command lines that use this server: to fill a pane, and to list what it omits. */
  commands: Partial<Record<PaneName, { fill: string | undefined; elsewhere: string | undefined }>>;
  panes: Record<PaneName, PaneState>;
  focus: PaneName;
  /** Text that rows of all panes must contain to be visible. */
  filter: string;
  summary: Summary | undefined;
  /** Difference of the service's clock to the system time. */
  clock: string | undefined;
  /** Whether the details of the selected row are visible next to the list. */
  preview: boolean;
  /** Whether opened details cover the list. */
  zoomed: boolean;
  /** The details that were read last. */
  detail: { id: string; text: string } | undefined;
  opened: Opened | undefined;
  prompt: Prompt | undefined;
  notice: string | undefined;
}

export type Change =
  | { kind: 'pages'; pages: Partial<Record<PaneName, RowPage>> }
  | { kind: 'summary'; summary: Summary }
  | { kind: 'clock'; clock: string | undefined }
  | { kind: 'preview'; preview: boolean }
  | { kind: 'zoom' }
  | { kind: 'sort' }
  | { kind: 'focus'; name: PaneName }
  | { kind: 'next pane'; by: number }
  | { kind: 'move'; by: number }
  /** `last` is the maximum scroll position of the text. */
  | { kind: 'scroll'; by: number; last: number }
  | { kind: 'open'; opened: Opened }
  | { kind: 'detail'; id: string; text: string }
  | { kind: 'close' }
  | { kind: 'ask'; prompt: Prompt }
  | { kind: 'choose'; by: number }
  | { kind: 'type'; filter: string }
  | { kind: 'answered' }
  | { kind: 'notice'; text: string | undefined };

export const initialState: DashboardState = {
  commands: {},
  panes: eachPane(() => ({ rows: [], total: undefined, more: false, selected: undefined, sort: undefined })),
  focus: 'mails',
  filter: '',
  summary: undefined,
  clock: undefined,
  preview: false,
  zoomed: false,
  detail: undefined,
  opened: undefined,
  prompt: undefined,
  notice: undefined,
};

export function isFiltered({ filter }: DashboardState): boolean {
  return filter.trim() !== '';
}

/** Returns the rows of a pane that pass the filter, in the pane's order. */
export function visibleRows({ panes, filter }: DashboardState, name: PaneName): readonly Row[] {
  const { rows, sort } = panes[name];
  const text = filter.trim().toLowerCase();
  const passing = text === '' ? rows : rows.filter(({ words }) => words.includes(text));
  return sort === undefined ? passing : sortedRows(passing, sort);
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
  const { opened } = state;
  if (opened?.kind === 'help') return undefined;
  if (opened) return state.panes[state.focus].rows.find(({ id }) => id === opened.row.id) ?? opened.row;
  const visible = visibleRows(state, state.focus);
  return visible[selectedIndex(state, state.focus, visible)];
}

/** Returns the row whose details are visible. */
export function detailedRow(state: DashboardState): Row | undefined {
  return state.preview || state.opened ? currentRow(state) : undefined;
}

/** Returns the number of rows that a pane needs, with some more to scroll to. */
export function rowsNeeded(state: DashboardState, name: PaneName): number {
  return isFiltered(state) || state.panes[name].sort !== undefined ? ROWS_MAX : selectedIndex(state, name) + SCREENFUL;
}

const SCREENFUL = 80;

export function reduce(state: DashboardState, change: Change): DashboardState {
  switch (change.kind) {
    case 'pages':
      return { ...state, panes: eachPane((name) => ({ ...state.panes[name], ...change.pages[name] })) };
    case 'focus':
      return { ...state, focus: change.name };
    case 'next pane':
      return focusNext(state, change.by);
    case 'move':
      return moveSelection(state, change.by);
    case 'scroll':
      return scrollOpened(state, change);
    case 'open':
      return { ...state, opened: change.opened, notice: undefined };
    case 'summary':
      return { ...state, summary: change.summary };
    case 'clock':
      return { ...state, clock: change.clock };
    case 'preview':
      return { ...state, preview: change.preview };
    case 'zoom':
      return { ...state, zoomed: !state.zoomed };
    case 'sort':
      return sortByNext(state);
    case 'detail':
      return { ...state, detail: { id: change.id, text: change.text } };
    case 'close':
      return { ...state, opened: undefined, zoomed: false };
    case 'ask':
      return { ...state, prompt: change.prompt, notice: undefined };
    case 'choose':
      return moveChoice(state, change.by);
    case 'type':
      return filterBy(state, change.filter);
    case 'answered':
      return { ...state, prompt: undefined };
    case 'notice':
      return { ...state, notice: change.text };
  }
}

function focusNext(state: DashboardState, by: number): DashboardState {
  const index = paneNames.indexOf(state.focus) + by + paneNames.length;
  return { ...state, focus: paneNames[index % paneNames.length] ?? state.focus };
}

function scrollOpened(state: DashboardState, { by, last }: { by: number; last: number }): DashboardState {
  const { opened } = state;
  if (!opened) return state;
  return { ...state, opened: { ...opened, scroll: within(Math.min(opened.scroll, last) + by, last) } };
}

function moveChoice(state: DashboardState, by: number): DashboardState {
  const { prompt } = state;
  if (prompt?.kind !== 'choice') return state;
  return { ...state, prompt: { ...prompt, index: within(prompt.index + by, prompt.items.length - 1) } };
}

function filterBy(state: DashboardState, filter: string): DashboardState {
  return { ...state, filter, panes: eachPane((name) => ({ ...state.panes[name], selected: undefined })) };
}

function sortByNext(state: DashboardState): DashboardState {
  const { focus, panes } = state;
  const sort = nextSort(definitions[focus].columns, panes[focus].sort);
  return { ...state, panes: { ...panes, [focus]: { ...panes[focus], sort, selected: undefined } } };
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

/** Sorts the rows of a pane by a column. */

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the rows in the order of a column. Rows with the same cell keep their order, the newest first. */
function sortedRows(rows: readonly Row[], column: number): readonly Row[] {
  return rows.toSorted((a, b) => compare(textOf(a.cells[column]).slice(0, KEY), textOf(b.cells[column]).slice(0, KEY)));
}

/** Characters of a cell that determine its position. */
const KEY = 100;

/** Returns the column to sort by after this one; undefined for the order of time. */
function nextSort(columns: readonly Column[], sort: number | undefined): number | undefined {
  const next = columns.findIndex((column, index) => column.sort === true && index > (sort ?? -1));
  return next === -1 ? undefined : next;
}
