import { Text } from 'ink';
import { firstVisible } from '../../terminal/ink/use-redraw.js';
import { COLUMN_GAP, fitted, layOutColumns, type PlacedColumn } from '../layout.js';
import { type PaneName, panes } from '../panes/index.js';
import { ROWS_MAX, type Row, type Tone, textOf } from '../panes/pane.js';
import { type DashboardState, selectedIndex, visibleRows } from '../state.js';

const colours: Record<Tone, { color?: string }> = {
  plain: {},
  good: { color: 'green' },
  waiting: { color: 'yellow' },
  bad: { color: 'red' },
};

const MARK = '> ';
const NO_MARK = ' '.repeat(MARK.length);
const GAP = ' '.repeat(COLUMN_GAP);
const SORTED = ' ▾';

interface PaneListProps {
  state: DashboardState;
  name: PaneName;
  room: number;
  columns: number;
  focused: boolean;
}

/** Shows the rows of a pane, the newest at the top. The selected row is always visible. */
export function PaneList({ state, name, room, columns, focused }: PaneListProps) {
  const { rows, more, sort } = state.panes[name];
  const visible = visibleRows(state, name);
  if (visible.length === 0) return <Empty state={state} name={name} />;
  const placed = layOutColumns(panes[name].columns, columns - MARK.length - 1);
  const selected = selectedIndex(state, name, visible);
  const older = more && rows.length >= ROWS_MAX ? 1 : 0;
  const first = firstVisible(visible.length + older, selected, room);
  const shown = visible.slice(first, first + room);
  const titles = placed.map(({ title, width, index }) => fitted(index === sort ? title + SORTED : title, width));
  return (
    <>
      <Text wrap="truncate" dimColor>
        {NO_MARK + titles.join(GAP)}
      </Text>
      {shown.map((row, index) => (
        <RowLine key={row.id} row={row} placed={placed} selected={first + index === selected} focused={focused} />
      ))}
      {older > 0 && shown.length < room && (
        <Text wrap="truncate" dimColor>
          {NO_MARK + ['older rows', state.commands[name]?.elsewhere].filter(Boolean).join(': ')}
        </Text>
      )}
    </>
  );
}

function Empty({ state, name }: Pick<PaneListProps, 'state' | 'name'>) {
  if (state.panes[name].rows.length > 0) {
    return <Text dimColor>{`No rows match ${JSON.stringify(state.filter.trim())}.`}</Text>;
  }
  const command = state.commands[name]?.fill;
  const advice = command === undefined ? '' : ` To get some, run in another terminal:\n${command}`;
  return <Text dimColor>{panes[name].empty + advice}</Text>;
}

interface RowLineProps {
  row: Row;
  placed: readonly PlacedColumn[];
  selected: boolean;
  focused: boolean;
}

function RowLine({ row, placed, selected, focused }: RowLineProps) {
  const inverse = selected && focused;
  return (
    <Text wrap="truncate" inverse={inverse} bold={selected && !focused}>
      {selected ? MARK : NO_MARK}
      {placed.map(({ index, width, title }, place) => {
        const cell = row.cells[index];
        const text = fitted(textOf(cell), width);
        const tone = typeof cell === 'object' && !inverse ? cell.tone : 'plain';
        return (
          <Text key={title} {...colours[tone]}>
            {place > 0 ? GAP + text : text}
          </Text>
        );
      })}{' '}
    </Text>
  );
}
