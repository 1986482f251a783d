import { Text } from 'ink';
import { firstVisible } from '../../terminal/ink/scroll-window.js';
import type { ChoiceItem } from '../state.js';
import { Panel } from './panel.js';

interface ChoicePanelProps {
  title: string;
  items: readonly ChoiceItem[];
  index: number;
  columns: number;
  rows: number;
}

/** Shows items to choose from. */
export function ChoicePanel({ title, items, index, columns, rows }: ChoicePanelProps) {
  const room = rows - 2;
  const first = firstVisible(items.length, index, room);
  return (
    <Panel title={[{ text: ` ${title} `, active: true }]} focused columns={columns} rows={rows}>
      {items.slice(first, first + room).map(({ label }, place) => (
        <Text key={label} wrap="truncate" inverse={first + place === index}>
          {`${first + place === index ? '>' : ' '} ${label}`}
        </Text>
      ))}
    </Panel>
  );
}
