import { Text } from 'ink';
import { cutFor } from '../../output/display-width.js';
import { firstVisible } from '../../terminal/ink/scroll-window.js';
import { type PaneName, panes } from '../panes/index.js';
import { ROWS_MAX, type Tone } from '../panes/pane.js';
import { type DashboardState, selectedIndex, visibleRows } from '../state.js';

const colours: Record<Tone, { color?: string }> = {
  plain: {},
  good: { color: 'green' },
  waiting: { color: 'yellow' },
  bad: { color: 'red' },
};

/** Shows the rows of a pane, the newest at the top. The selected row is always visible. */
export function PaneList(props: { state: DashboardState; name: PaneName; room: number; columns: number }) {
  const { state, name, room, columns } = props;
  const { empty, elsewhere } = panes[name];
  const { rows, more } = state.panes[name];
  const visible = visibleRows(state, name);
  if (visible.length === 0) {
    const nothing = rows.length === 0 ? empty : `No rows match ${JSON.stringify(state.filter.trim())}.`;
    return (
      <Text wrap="truncate" dimColor>
        {nothing}
      </Text>
    );
  }
  const selected = selectedIndex(state, name, visible);
  const older = more && rows.length >= ROWS_MAX ? 1 : 0;
  const first = firstVisible(visible.length + older, selected, room);
  const shown = visible.slice(first, first + room);
  return (
    <>
      {shown.map((row, index) => {
        const isSelected = first + index === selected;
        const mark = isSelected ? '> ' : '  ';
        return (
          <Text key={row.id} wrap="truncate" inverse={isSelected && state.focus === name} {...colours[row.tone]}>
            {cutFor(columns, mark + row.line(columns - mark.length))}
          </Text>
        );
      })}
      {older > 0 && shown.length < room && (
        <Text wrap="truncate" dimColor>
          {`  older rows: ${elsewhere}`}
        </Text>
      )}
    </>
  );
}
