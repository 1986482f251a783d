import { Text } from 'ink';
import type { ListenAttempt } from '../listen/source.js';
import { attemptRow, detailLines } from './attempt-lines.js';

/** Shows one attempt in full, from the scroll position. */
export function AttemptDetail(props: { report: ListenAttempt; scroll: number; rows: number; columns: number }) {
  const { report, scroll, rows, columns } = props;
  const lines = detailLines(report, columns);
  const room = Math.max(1, rows - 1);
  const first = Math.min(scroll, Math.max(0, lines.length - room));
  return (
    <>
      <Text wrap="truncate" bold>
        {attemptRow(report, columns)}
      </Text>
      <Text>{lines.slice(first, first + room).join('\n')}</Text>
    </>
  );
}
