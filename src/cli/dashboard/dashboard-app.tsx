import { Box, Text } from 'ink';
import { useMemo, useSyncExternalStore } from 'react';
import { wrapLine } from '../output/display-width.js';
import type { LocalServer } from '../server/local-server.js';
import { useRedraw } from '../terminal/ink/use-redraw.js';
import { useTerminalSize } from '../terminal/ink/use-terminal-size.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import type { DashboardActions } from './actions.js';
import { ChoiceList } from './components/choice-list.js';
import { Footer, Header, headerLines } from './components/frame.js';
import { helpText } from './components/help-text.js';
import { PaneArea } from './components/pane-area.js';
import { layOutScreen, MIN_COLUMNS, MIN_ROWS, SPARE_ROWS } from './layout.js';
import type { Change, DashboardState } from './state.js';
import { useKeys } from './use-keys.js';

export interface DashboardAppProps {
  store: ViewStore<DashboardState, Change>;
  actions: DashboardActions;
  server: LocalServer;
  quit(): void;
  suspend(): void;
}

/** Shows the dashboard of `svc dev`. */
export function DashboardApp({ store, actions, server, quit, suspend }: DashboardAppProps) {
  const state = useSyncExternalStore(store.subscribe, store.current);
  const size = useTerminalSize();
  useRedraw();
  const { columns, rows } = size;
  const header = headerLines(server.address, columns);
  const layout = layOutScreen(size, header.length);
  const body = layout?.body ?? 1;
  const { opened, prompt } = state;
  const text = opened?.kind === 'help' ? helpText(server) : (opened?.text ?? (opened ? 'Loading…' : ''));
  const lines = useMemo(() => text.split('\n').flatMap((line) => wrapLine(line, columns)), [text, columns]);
  const page = Math.max(1, (layout && !opened ? layout.lists[0] : body) - 1);
  const scrollLast = Math.max(0, lines.length - body);
  // After the terminal was enlarged, more lines at the end are visible.
  const first = Math.min(opened?.scroll ?? 0, scrollLast);
  useKeys({ store, actions, quit, suspend, visible: layout !== undefined, page, scrollLast });

  if (!layout) {
    return (
      <Text>
        {`${columns}x${rows} is too small for the dashboard (minimum ${MIN_COLUMNS}x${MIN_ROWS}). The server is running. Press q to quit, or use --no-dashboard.`}
      </Text>
    );
  }
  return (
    <Box flexDirection="column" width={columns} height={rows - SPARE_ROWS} overflow="hidden">
      <Header lines={header} />
      <Box flexDirection="column" height={body} overflow="hidden">
        {prompt?.kind === 'choice' ? (
          <ChoiceList prompt={prompt} room={body} />
        ) : opened ? (
          <Text>{lines.slice(first, first + body).join('\n')}</Text>
        ) : (
          <PaneArea state={state} layout={layout} />
        )}
      </Box>
      <Footer state={state} />
    </Box>
  );
}
