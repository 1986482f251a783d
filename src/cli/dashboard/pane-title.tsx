import { Text } from 'ink';
import { type PaneName, paneNames, panes } from './panes.js';
import type { DashboardState } from './state.js';

/** A pane's name and how much there is; marked when keys go there. */
export function PaneTitle({ state, name }: { state: DashboardState; name: PaneName }) {
  const { total } = state.panes[name];
  const focused = state.focus === name;
  const title = [panes[name].title, total].filter((part) => part !== undefined).join(' ');
  return (
    <Text wrap="truncate" bold={focused} dimColor={!focused}>
      {focused ? `[${title}]` : ` ${title} `}
    </Text>
  );
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
