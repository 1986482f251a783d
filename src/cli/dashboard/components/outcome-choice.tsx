import { Text } from 'ink';
import { outcomes } from '../../../contract/vocabulary/outcome.js';
import { firstVisible } from '../../terminal/ink/scroll-window.js';

/** Shows the outcomes of an email to choose from. */
export function OutcomeChoice({ about, choice, room }: { about: string; choice: number; room: number }) {
  const rows = Math.max(1, room - 1);
  const first = firstVisible(outcomes.length, choice, rows);
  return (
    <>
      <Text wrap="truncate" bold>{`Simulate an outcome (all recipients): ${about}`}</Text>
      {outcomes.slice(first, first + rows).map((outcome, index) => (
        <Text key={outcome} wrap="truncate" inverse={first + index === choice}>
          {`${first + index === choice ? '>' : ' '} ${outcome}`}
        </Text>
      ))}
    </>
  );
}
