import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { displayWidth, shorten } from '../../output/display-width.js';

/** A part of a title. The active one is highlighted. */
export interface TitlePart {
  text: string;
  active: boolean;
}

interface PanelProps {
  title: readonly TitlePart[];
  /** Whether keys act on this panel. */
  focused: boolean;
  columns: number;
  rows: number;
  children?: ReactNode;
}

/** Draws a frame with a title in its upper line. */
export function Panel({ title, focused, columns, rows, children }: PanelProps) {
  const style = focused ? { color: 'cyan' } : { dimColor: true };
  const parts = fitParts(title, columns - CORNERS.length);
  const rest = columns - CORNERS.length - parts.reduce((sum, { text }) => sum + displayWidth(text), 0);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Text wrap="truncate">
        <Text {...style}>╭─</Text>
        {parts.map(({ text, active }) => (
          <Text key={text} bold={active} dimColor={!active} {...(active && focused && { color: 'cyan' })}>
            {text}
          </Text>
        ))}
        <Text {...style}>{`${'─'.repeat(Math.max(0, rest))}╮`}</Text>
      </Text>
      <Box
        flexDirection="column"
        height={rows - 1}
        overflow="hidden"
        borderStyle="round"
        borderTop={false}
        {...(focused ? { borderColor: 'cyan' } : { borderDimColor: true })}
      >
        {children}
      </Box>
    </Box>
  );
}

const CORNERS = '╭─╮';

/** Cuts the title where it exceeds the width. */
function fitParts(title: readonly TitlePart[], width: number): TitlePart[] {
  let left = width;
  return title.flatMap(({ text, active }) => {
    const shown = left > 0 ? shorten(text, left) : '';
    left -= displayWidth(shown);
    return shown === '' ? [] : [{ text: shown, active }];
  });
}
