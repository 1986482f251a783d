import { Text } from 'ink';
import { type PaneName, paneNames, panes } from '../panes/index.js';
import { type DashboardState, isFiltered, visibleRows } from '../state.js';

/** A pane's name and how much there is, or passes the filter; marked when keys go there. */
export function PaneTitle({ state, name }: { state: DashboardState; name: PaneName }) {
  const focused = state.focus === name;
  const title = [panes[name].title, countOf(state, name)].filter((part) => part !== undefined).join(' ');
  return (
    <Text wrap="truncate" bold={focused} dimColor={!focused}>
      {focused ? `[${title}]` : ` ${title} `}
    </Text>
  );
}

/** `3`; with a filter `1 of 3`, and `1+ of 3` as long as not all have been looked at. */
function countOf(state: DashboardState, name: PaneName): string | undefined {
  const { total, more } = state.panes[name];
  if (!isFiltered(state)) return total?.toString();
  const passing = `${visibleRows(state, name).length}${more ? '+' : ''}`;
  return total === undefined ? passing : `${passing} of ${total}`;
}

/** All titles in a line, where there is room for one pane. */
export function PaneTabs({ state }: { state: DashboardState }) {
  return (
    <Text wrap="truncate">
      {paneNames.map((name) => (
        <PaneTitle key={name} state={state} name={name} />
      ))}
    </Text>
  );
}
