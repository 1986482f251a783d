import { Box } from 'ink';
import type { Layout } from '../layout.js';
import { panes } from '../panes/index.js';
import type { DashboardState } from '../state.js';
import { ChoicePanel } from './choice-panel.js';
import { ListPanel } from './list-panel.js';
import { TextPanel } from './text-panel.js';

interface BodyProps {
  state: DashboardState;
  layout: Layout;
  columns: number;
  /** The lines of what is open, or of the preview. */
  lines: readonly string[];
  /** The first line to show. */
  first: number;
  /** Whether what is open covers the list. */
  wide: boolean;
}

/** Shows the list with a preview, or what covers them. */
export function Body({ state, layout, columns, lines, first, wide }: BodyProps) {
  const { prompt, opened, focus } = state;
  const { body: rows, previewColumns } = layout;
  if (prompt?.kind === 'choice') return <ChoicePanel {...prompt} columns={columns} rows={rows} />;
  const title = opened?.kind === 'help' ? 'Help' : panes[focus].item;
  if (opened && wide) return <TextPanel {...{ title, lines, first, columns, rows }} focused />;
  const list = <ListPanel state={state} layout={layout} focused={!opened} />;
  if (previewColumns === undefined) return list;
  return (
    <Box>
      {list}
      <TextPanel {...{ title, lines, first, rows }} columns={previewColumns} focused={opened !== undefined} />
    </Box>
  );
}
