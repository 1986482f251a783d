import { Text } from 'ink';
import { oneLine } from '../../output/text.js';
import type { ListenState } from './listen-state.js';

export const HEADER_ROWS = 4;

/** Shows where events are forwarded to, the signing secret, and the state of the connection. */
export function ListenHeader({ state: { ready, lost, filter }, baseUrl }: { state: ListenState; baseUrl: string }) {
  const from = ready?.public_url === undefined ? '' : `  (${ready.public_url} must lead to ${ready.receiver})`;
  const connection =
    lost !== undefined ? `disconnected: ${oneLine(lost)}; reconnecting to` : ready ? 'connected to' : 'connecting to';
  return (
    <>
      <Text wrap="truncate">
        <Text bold>forwarding to</Text> {oneLine(ready?.url ?? '…')}
        {oneLine(from)}
      </Text>
      <Text wrap="truncate">
        <Text bold>signing secret</Text> {ready?.secret ?? '…'}
      </Text>
      <Text wrap="truncate" color={lost === undefined ? 'green' : 'red'}>
        {connection} {baseUrl}
      </Text>
      <Text wrap="truncate" dimColor>
        {`showing ${filter}`}
      </Text>
    </>
  );
}
