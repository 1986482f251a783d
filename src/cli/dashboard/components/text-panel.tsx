import { Box, Text } from 'ink';
import { Panel } from './panel.js';

interface TextPanelProps {
  title: string;
  /** Lines that fit the width. */
  lines: readonly string[];
  /** The first line to show. */
  first: number;
  focused: boolean;
  columns: number;
  rows: number;
}

/** Columns between the frame and the text, on either side. */
export const TEXT_PADDING = 1;

/** Shows text in a panel, with the position if it does not fit. */
export function TextPanel({ title, lines, first, focused, columns, rows }: TextPanelProps) {
  const room = rows - 2;
  const position = lines.length > room ? ` ${Math.min(first + room, lines.length)}/${lines.length}` : '';
  return (
    <Panel title={[{ text: ` ${title}${position} `, active: true }]} focused={focused} columns={columns} rows={rows}>
      <Box paddingX={TEXT_PADDING}>
        <Text>{lines.slice(first, first + room).join('\n')}</Text>
      </Box>
    </Panel>
  );
}
