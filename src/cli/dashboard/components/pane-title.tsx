import { Text } from 'ink';
import { type PaneName, paneNames, panes } from '../panes/index.js';
import { type DashboardState, isFiltered, visibleRows } from '../state.js';

/**
 * Shows a pane's name and the number of its rows, or of the rows that match the filter. Highlights the focused pane.
 */
export function PaneTitle({ state, name }: { state: DashboardState; name: PaneName }) {
  const focused = state.focus === name;
  const title = [panes[name].title, countOf(state, name)].filter((part) => part !== undefined).join(' ');
  return (
    <Text wrap="truncate" bold={focused} dimColor={!focused}>
      {focused ? `[${title}]` : ` ${title} `}
    </Text>
  );
}

/** Returns `3`; with a filter `1 of 3`, and `1+ of 3` until all rows have been checked. */
function countOf(state: DashboardState, name: PaneName): string | undefined {
  const { total, more } = state.panes[name];
  if (!isFiltered(state)) return total?.toString();
  const passing = `${visibleRows(state, name).length}${more ? '+' : ''}`;
  return total === undefined ? passing : `${passing} of ${total}`;
}

/** Shows all titles in a line, where only one pane fits. */
export function PaneTabs({ state }: { state: DashboardState }) {
  return (
    <Text wrap="truncate">
      {paneNames.map((name) => (
        <PaneTitle key={name} state={state} name={name} />
      ))}
    </Text>
  );
}
