import { Text } from 'ink';
import { succeeded } from '../../../contract/vocabulary/webhooks/diagnose-attempt.js';
import { firstVisible } from '../../terminal/ink/scroll-window.js';
import { attemptRow } from './attempt-lines.js';
import { type ListenState, selectedIndex, visibleEntries } from './listen-state.js';

/** Shows one row per attempt, the newest at the bottom. The selected row is always visible. */
export function AttemptList({ state, rows, columns }: { state: ListenState; rows: number; columns: number }) {
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
