import { Box } from 'ink';
import { GAP, type Layout } from '../layout.js';
import type { PaneName } from '../panes/index.js';
import type { DashboardState } from '../state.js';
import { PaneList } from './pane-list.js';
import { PaneTabs, PaneTitle } from './pane-title.js';

/** Shows the panes: all four if they fit, else the one in focus. */
export function PaneArea({ state, layout }: { state: DashboardState; layout: Layout }) {
  const { grid, columns, lists } = layout;
  const [upper, lower] = lists;
  if (!grid) {
    return (
      <>
        <PaneTabs state={state} />
        <PaneList state={state} name={state.focus} room={upper} columns={columns} />
      </>
    );
  }
  const pane = (name: PaneName, room: number) => (
    <Box flexDirection="column" width={columns} height={room + 1} overflow="hidden">
      <PaneTitle state={state} name={name} />
      <PaneList state={state} name={name} room={room} columns={columns} />
    </Box>
  );
  return (
    <>
      <Box columnGap={GAP}>
        {pane('mails', upper)}
        {pane('events', upper)}
      </Box>
      <Box columnGap={GAP}>
        {pane('deliveries', lower)}
        {pane('requests', lower)}
      </Box>
    </>
  );
}
