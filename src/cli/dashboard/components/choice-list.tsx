import { Text } from 'ink';
import { firstVisible } from '../../terminal/ink/scroll-window.js';
import type { ChoicePrompt } from '../state.js';

/** Shows the options of a prompt. */
export function ChoiceList({ prompt, room }: { prompt: ChoicePrompt; room: number }) {
  const { title, options, choice } = prompt;
  const rows = Math.max(1, room - 1);
  const first = firstVisible(options.length, choice, rows);
  return (
    <>
      <Text wrap="truncate" bold>
        {title}
      </Text>
      {options.slice(first, first + rows).map(({ label }, index) => (
        <Text key={label} wrap="truncate" inverse={first + index === choice}>
          {`${first + index === choice ? '>' : ' '} ${label}`}
        </Text>
      ))}
    </>
  );
}
