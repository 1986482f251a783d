import { Box, Text } from 'ink';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { wrapLine } from '../output/display-width.js';
import type { LocalServer } from '../server/local-server.js';
import { useRedraw } from '../terminal/ink/use-redraw.js';
import { useTerminalSize } from '../terminal/ink/use-terminal-size.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import type { DashboardActions } from './actions.js';
import { Body } from './components/body.js';
import { confirmation, Footer } from './components/footer.js';
import { helpText } from './components/help-text.js';
import { type ServerFacts, StatusBar } from './components/status-bar.js';
import { TEXT_PADDING } from './components/text-panel.js';
import { innerColumns, layOutScreen, MIN_COLUMNS, MIN_ROWS, SPARE_ROWS } from './layout.js';
import { type Change, type DashboardState, detailedRow } from './state.js';
import { useKeys } from './use-keys.js';

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
