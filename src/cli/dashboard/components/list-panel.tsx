import { innerColumns, type Layout } from '../layout.js';
import { type PaneName, paneNames, panes } from '../panes/index.js';
import { type DashboardState, isFiltered, visibleRows } from '../state.js';
import { PaneList } from './pane-list.js';
import { Panel, type TitlePart } from './panel.js';

/** Shows the focused pane. The titles of all panes are tabs, with the number of their rows. */
export function ListPanel({ state, layout, focused }: { state: DashboardState; layout: Layout; focused: boolean }) {
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
