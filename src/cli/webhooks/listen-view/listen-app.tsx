import { Box, Text } from 'ink';
import { useSyncExternalStore } from 'react';
import { succeeded } from '../../../contract/vocabulary/webhooks/attempts.js';
import { oneLine } from '../../output/text.js';
import { openView } from '../../terminal/ink/open-view.js';
import { useKeyPresses } from '../../terminal/ink/use-key-presses.js';
import { firstVisible, useRedraw, useTerminalSize, ViewStore } from '../../terminal/ink/use-redraw.js';
import type { ListenAttempt, ListenSource } from '../listen/source.js';
import {
  attemptRow,
  type Change,
  detailLines,
  initialState,
  type ListenState,
  reduce,
  selectedEntry,
  selectedIndex,
  visibleEntries,
} from './listen-state.js';

interface ListenAppProps {
  store: ViewStore<ListenState, Change>;
  baseUrl: string;
  replay(report: ListenAttempt): Promise<void>;
  quit(): void;
  /** Called on ^C, which a terminal in raw mode reports as a key. */
  interrupt(): void;
  /** Called on ^Z, which a terminal in raw mode reports as a key. */
  suspend(): void;
}

const FOOTER_ROWS = 2;
/** Rows left empty at the end: a terminal scrolls when its last row is written. */
const SPARE_ROWS = 1;
const PAGE = 10;

/** Shows the live view of `svc webhooks listen`. */
function ListenApp({ store, baseUrl, replay, quit, interrupt, suspend }: ListenAppProps) {
  const state = useSyncExternalStore(store.subscribe, store.current);
  const { columns, rows } = useTerminalSize();
  useRedraw();
  const open = state.scroll !== undefined;
  const selected = selectedEntry(state);
  useListenKeys({ store, replay, quit, interrupt, suspend });

  const room = Math.max(1, rows - HEADER_ROWS - FOOTER_ROWS - SPARE_ROWS);
  return (
    <Box flexDirection="column" width={columns} height={rows - SPARE_ROWS} overflow="hidden">
      <ListenHeader state={state} baseUrl={baseUrl} />
      <Box flexDirection="column" height={room} overflow="hidden">
        {open && selected ? (
          <AttemptDetail report={selected.report} scroll={state.scroll ?? 0} rows={room} columns={columns} />
        ) : (
          <AttemptList state={state} rows={room} columns={columns} />
        )}
      </Box>
      <Text wrap="truncate">{oneLine(state.notice ?? ' ')}</Text>
      <Text wrap="truncate" dimColor>
        {open ? '↑↓ scroll  q back  r replay' : '↑↓ select  enter show  r replay  f filter  q quit'}
      </Text>
    </Box>
  );
}

function useListenKeys({ store, replay, quit, interrupt, suspend }: Omit<ListenAppProps, 'baseUrl'>): void {
  useKeyPresses((input, key) => {
    // Several keys can arrive before the view is drawn again.
    const now = store.current();
    const isOpen = now.scroll !== undefined;
    const chosen = selectedEntry(now);
    if (key.ctrl && input === 'c') interrupt();
    else if (key.ctrl && input === 'z') suspend();
    else if (input === 'q') isOpen ? store.change({ kind: 'close' }) : quit();
    else if (key.upArrow || input === 'k') store.change({ kind: 'move', by: -1 });
    else if (key.downArrow || input === 'j') store.change({ kind: 'move', by: 1 });
    else if (key.pageUp) store.change({ kind: 'move', by: -PAGE });
    else if (key.pageDown) store.change({ kind: 'move', by: PAGE });
    else if (key.escape) store.change({ kind: 'close' });
    else if (key.return) store.change({ kind: isOpen ? 'close' : 'open' });
    else if (input === 'f' && !isOpen) store.change({ kind: 'filter' });
    else if (input === 'r' && chosen) void replaySelected(chosen.report);
  });

  async function replaySelected(report: ListenAttempt): Promise<void> {
    store.change({ kind: 'notice', text: `replaying ${report.event_id}` });
    const text = await replay(report).then(
      () => `replayed ${report.event_id}`,
      (error: Error) => `replay failed: ${error.message}`,
    );
    store.change({ kind: 'notice', text });
  }
}

/** Shows one attempt in full, from the scroll position. */
function AttemptDetail(props: { report: ListenAttempt; scroll: number; rows: number; columns: number }) {
  const { report, scroll, rows, columns } = props;
  const lines = detailLines(report, columns);
  const room = Math.max(1, rows - 1);
  const first = Math.min(scroll, Math.max(0, lines.length - room));
  return (
    <>
      <Text wrap="truncate" bold>
        {attemptRow(report, columns)}
      </Text>
      <Text>{lines.slice(first, first + room).join('\n')}</Text>
    </>
  );
}

/** Shows one row per attempt, the newest at the bottom. The selected row is always visible. */
function AttemptList({ state, rows, columns }: { state: ListenState; rows: number; columns: number }) {
  const visible = visibleEntries(state);
  const selected = selectedIndex(state, visible);
  if (visible.length === 0) return <Text dimColor>Waiting for events.</Text>;
  const first = firstVisible(visible.length, selected, rows);
  return visible.slice(first, first + rows).map(({ key, report }, index) => (
    <Text
      key={key}
      wrap="truncate"
      inverse={first + index === selected}
      {...(!succeeded(report) && { color: report.next_attempt_at === null ? 'red' : 'yellow' })}
    >
      {`${first + index === selected ? '>' : ' '} ${attemptRow(report, columns)}`}
    </Text>
  ));
}

const HEADER_ROWS = 4;

/** Shows where events are forwarded to, the signing secret, and the state of the connection. */
function ListenHeader({ state: { ready, lost, filter }, baseUrl }: { state: ListenState; baseUrl: string }) {
  const from = ready?.public_url === undefined ? '' : `  (${ready.public_url} must lead to ${ready.receiver})`;
  const connection =
    lost !== undefined ? `disconnected: ${oneLine(lost)}; reconnecting to` : ready ? 'connected to' : 'connecting to';
  return (
    <>
      <Text wrap="truncate">
        <Text bold>forwarding to</Text> {oneLine(ready?.url ?? '…')}
        {oneLine(from)}
      </Text>
      <Text wrap="truncate">
        <Text bold>signing secret</Text> {ready?.secret ?? '…'}
      </Text>
      <Text wrap="truncate" color={lost === undefined ? 'green' : 'red'}>
        {connection} {baseUrl}
      </Text>
      <Text wrap="truncate" dimColor>
        {`showing ${filter}`}
      </Text>
    </>
  );
}

/**
 * Shows events as they arrive until the signal. Calls `quit` on q and `interrupt` on ^C. Restores the screen in any
 * case.
 */
export async function showListening(
  source: ListenSource,
  { baseUrl, signal, quit, interrupt }: { baseUrl: string; signal: AbortSignal; quit(): void; interrupt(): void },
): Promise<void> {
  const store = new ViewStore(initialState, reduce);
  const replay = source.replay.bind(source);
  const view = await openView(
    (suspend) => <ListenApp {...{ store, baseUrl, replay, quit, interrupt, suspend }} />,
    quit,
  );
  // Closes the view at once, before the cleanup: deleting a webhook or stopping a server.
  signal.addEventListener('abort', view.leave, { once: true });
  try {
    for await (const line of source.lines(signal)) store.change({ kind: 'line', line });
  } finally {
    view.leave();
  }
  await view.ended;
}
