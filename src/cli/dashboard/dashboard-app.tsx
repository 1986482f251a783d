import { Box, Text } from 'ink';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { wrapLine } from '../output/display-width.js';
import { oneLine } from '../output/text.js';
import type { LocalServer } from '../server/local-server.js';
import { describeServer } from '../server/startup-message.js';
import { useKeyPresses } from '../terminal/ink/use-key-presses.js';
import { firstVisible, useRedraw, useTerminalSize, type ViewStore } from '../terminal/ink/use-redraw.js';
import type { DashboardActions } from './actions.js';
import { PaneList } from './components/pane-list.js';
import { Panel, type TitlePart } from './components/panel.js';
import { joinFitting, type ServerFacts, StatusBar } from './components/status-bar.js';
import type { KeyDeps } from './key-binding.js';
import { bindings, modeOf } from './key-map.js';
import { innerColumns, type Layout, layOutScreen, MIN_COLUMNS, MIN_ROWS, SPARE_ROWS } from './layout.js';
import { type PaneName, paneNames, panes } from './panes/index.js';
import { ROWS_MAX } from './panes/pane.js';
import { type Change, type ChoiceItem, type DashboardState, detailedRow, isFiltered, visibleRows } from './state.js';

export interface DashboardAppProps {
  store: ViewStore<DashboardState, Change>;
  actions: DashboardActions;
  server: LocalServer;
  facts: ServerFacts;
  quit(): void;
  suspend(): void;
}

/** Shows the dashboard of `svc dev`. */
export function DashboardApp({ store, actions, server, facts, quit, suspend }: DashboardAppProps) {
  const state = useSyncExternalStore(store.subscribe, store.current);
  const { columns, rows } = useTerminalSize();
  useRedraw();
  const layout = layOutScreen({ columns, rows });
  const preview = layout?.previewColumns !== undefined;
  useEffect(() => store.change({ kind: 'preview', preview }), [store, preview]);
  const { opened } = state;
  const wide = !preview || state.zoomed || opened?.kind === 'help';
  const textColumns = innerColumns(wide ? columns : (layout?.previewColumns ?? columns)) - 2 * TEXT_PADDING;
  const text = opened?.kind === 'help' ? helpText(server, textColumns) : detailText(state);
  const lines = useMemo(() => text.split('\n').flatMap((line) => wrapLine(line, textColumns)), [text, textColumns]);
  const room = layout?.lines ?? 1;
  const scrollLast = Math.max(0, lines.length - room);
  // After the terminal was enlarged, more lines at the end are visible.
  const first = Math.min(opened?.scroll ?? 0, scrollLast);
  const page = Math.max(1, (layout && !opened ? layout.list : room) - 1);
  const inMemory = server.address.data_dir === null;
  useKeys({ store, actions, quit, inMemory, suspend, visible: layout !== undefined, page, scrollLast });

  if (!layout) {
    const { prompt } = state;
    const question = prompt?.kind === 'confirm' ? confirmation(prompt.question) : undefined;
    const tooSmall = `${columns}x${rows} is too small for the dashboard (minimum ${MIN_COLUMNS}x${MIN_ROWS}). The server is running. Press q to quit, or use --no-dashboard.`;
    return <Text>{question ?? tooSmall}</Text>;
  }
  return (
    <Box flexDirection="column" width={columns} height={rows - SPARE_ROWS} overflow="hidden">
      <StatusBar summary={state.summary} clock={state.clock} facts={facts} columns={columns} />
      <Body state={state} layout={layout} columns={columns} lines={lines} first={first} wide={wide} />
      <Footer state={state} columns={columns} />
    </Box>
  );
}

/** Returns the details to show. A preview keeps the previous ones until those of the selected row are read. */
function detailText(state: DashboardState): string {
  const row = detailedRow(state);
  if (!row || !state.detail) return '';
  return state.opened && state.detail.id !== row.id ? 'Loading…' : state.detail.text;
}

/** The width of the names of the keys, with the space before and after them. */
const KEY_COLUMNS = 20;

/** Returns the help text for a width: the keys, and what `svc dev` prints without a dashboard. */
function helpText(server: LocalServer, columns: number): string {
  const described = bindings.flatMap(({ help }) => help ?? []);
  const keys = described.flatMap(([names, text]) => {
    const [first, ...more] = wrapLine(text, Math.max(1, columns - KEY_COLUMNS));
    return [`  ${names}`.padEnd(KEY_COLUMNS) + first, ...more.map((line) => ' '.repeat(KEY_COLUMNS) + line)];
  });
  return `Keys:

${keys.join('\n')}

Each pane shows the newest ${ROWS_MAX.toLocaleString('en')} rows.

${describeServer(server).trimEnd()}
`;
}

/** Runs the action that the key map has for each key. `visible` is false while the terminal is too small. */
function useKeys({ visible, ...deps }: KeyDeps & { visible: boolean }): void {
  const { store } = deps;
  useKeyPresses((input, key) => {
    // Several keys can arrive before the view is drawn again.
    const state = store.current();
    const mode = modeOf(state, visible);
    const press = { ...deps, input, key, state };
    const binding = bindings.find(({ modes, matches }) => modes.includes(mode) && matches(press));
    if (binding && state.notice !== undefined) store.change({ kind: 'notice', text: undefined });
    binding?.act(press);
  }, paste);

  /**
   * Adds the first line of pasted text to the filter. In other modes, pasted text is ignored, so that its letters do
   * not act as keys.
   */
  function paste(text: string): void {
    const { prompt, filter } = store.current();
    if (prompt?.kind === 'filter') store.change({ kind: 'type', filter: oneLine(filter + firstLine(text)) });
  }
}

function firstLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
}

interface BodyProps {
  state: DashboardState;
  layout: Layout;
  columns: number;
  /** The lines of what is open, or of the preview. */
  lines: readonly string[];
  /** The first line to show. */
  first: number;
  /** Whether what is open covers the list. */
  wide: boolean;
}

/** Shows the list with a preview, or what covers them. */
function Body({ state, layout, columns, lines, first, wide }: BodyProps) {
  const { prompt, opened, focus } = state;
  const { body: rows, previewColumns } = layout;
  if (prompt?.kind === 'choice') return <ChoicePanel {...prompt} columns={columns} rows={rows} />;
  const title = opened?.kind === 'help' ? 'Help' : panes[focus].item;
  if (opened && wide) return <TextPanel {...{ title, lines, first, columns, rows }} focused />;
  const list = <ListPanel state={state} layout={layout} focused={!opened} />;
  if (previewColumns === undefined) return list;
  return (
    <Box>
      {list}
      <TextPanel {...{ title, lines, first, rows }} columns={previewColumns} focused={opened !== undefined} />
    </Box>
  );
}

interface ChoicePanelProps {
  title: string;
  items: readonly ChoiceItem[];
  index: number;
  columns: number;
  rows: number;
}

/** Shows items to choose from. */
function ChoicePanel({ title, items, index, columns, rows }: ChoicePanelProps) {
  const room = rows - 2;
  const first = firstVisible(items.length, index, room);
  return (
    <Panel title={[{ text: ` ${title} `, active: true }]} focused columns={columns} rows={rows}>
      {items.slice(first, first + room).map(({ label }, place) => (
        <Text key={label} wrap="truncate" inverse={first + place === index}>
          {`${first + place === index ? '>' : ' '} ${label}`}
        </Text>
      ))}
    </Panel>
  );
}

/** Shows the focused pane. The titles of all panes are tabs, with the number of their rows. */
function ListPanel({ state, layout, focused }: { state: DashboardState; layout: Layout; focused: boolean }) {
  return (
    <Panel title={tabs(state)} focused={focused} columns={layout.listColumns} rows={layout.body}>
      <PaneList
        state={state}
        name={state.focus}
        room={layout.list}
        columns={innerColumns(layout.listColumns)}
        focused={focused}
      />
    </Panel>
  );
}

function tabs(state: DashboardState): TitlePart[] {
  return paneNames.map((name) => {
    const active = state.focus === name;
    const title = `${panes[name].title} ${countOf(state, name)}`;
    return { text: active ? `[${title}]` : ` ${title} `, active };
  });
}

/**
 * Returns `3`, or `100+` where the server does not count the rows that were not read. With a filter, returns
 * `1 of 3`, and `1+ of 3` until all rows have been checked.
 */
function countOf(state: DashboardState, name: PaneName): string {
  const { rows, total, more } = state.panes[name];
  const all = total?.toString() ?? `${rows.length}${more ? '+' : ''}`;
  if (!isFiltered(state)) return all;
  return `${visibleRows(state, name).length}${more ? '+' : ''} of ${all}`;
}

/** Shows the last notice or the current prompt, and the keys. */
function Footer({ state, columns }: { state: DashboardState; columns: number }) {
  return (
    <>
      <Text wrap="truncate" bold={state.prompt?.kind === 'confirm'}>
        {notice(state)}
      </Text>
      <Text wrap="truncate" dimColor>
        {keys(state, columns)}
      </Text>
    </>
  );
}

/** Returns the line that asks for y. */
function confirmation(question: string): string {
  return `${question} (y/N)`;
}

function notice({ prompt, notice, filter }: DashboardState): string {
  if (prompt?.kind === 'filter') return `filter: ${filter}▏`;
  if (prompt?.kind === 'confirm') return confirmation(prompt.question);
  const filtered = filter.trim() === '' ? undefined : `filter: ${filter.trim()} (esc shows all)`;
  return notice ?? filtered ?? ' ';
}

function keys({ prompt, opened, focus }: DashboardState, columns: number): string {
  if (prompt?.kind === 'filter') return 'type to filter  enter apply  esc cancel';
  if (prompt?.kind === 'confirm') return 'y yes  any other key cancels';
  if (prompt) return '↑↓ choose  enter confirm  esc cancel';
  if (opened?.kind === 'help') return '↑↓ scroll  q back';
  const own = focus === 'mails' ? ['s simulate', 'o open in browser', 'c copy', 'w save', 'd delete'] : ['c copy'];
  const acts = focus === 'events' || focus === 'deliveries' ? ['r replay', ...own] : own;
  const start = opened ? ['↑↓ scroll', 'q back'] : ['? help', 'q quit', 'tab pane', 'enter open', 'f filter'];
  const all = opened ? [...start, ...acts, 'z zoom'] : [...start, ...acts, 't sort'];
  return joinFitting(all, columns);
}

interface TextPanelProps {
  title: string;
  /** Lines that fit the width. */
  lines: readonly string[];
  /** The first line to show. */
  first: number;
  focused: boolean;
  columns: number;
  rows: number;
}

/** Columns between the frame and the text, on either side. */
const TEXT_PADDING = 1;

/** Shows text in a panel, with the position if it does not fit. */
function TextPanel({ title, lines, first, focused, columns, rows }: TextPanelProps) {
  const room = rows - 2;
  const position = lines.length > room ? ` ${Math.min(first + room, lines.length)}/${lines.length}` : '';
  return (
    <Panel title={[{ text: ` ${title}${position} `, active: true }]} focused={focused} columns={columns} rows={rows}>
      <Box paddingX={TEXT_PADDING}>
        <Text>{lines.slice(first, first + room).join('\n')}</Text>
      </Box>
    </Panel>
  );
}
