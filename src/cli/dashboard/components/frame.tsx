import { Text } from 'ink';
import type { RunningServer } from '../../data-dir/server-file.js';
import type { DashboardState } from '../state.js';

/** Draws the frame around the panes. */

const NAME = 'svc dev';

/**
 * Returns the server's address and key, on separate lines if both ports do not fit into one. The help shows the other
 * lines of the start message.
 */
export function headerLines({ base_url, smtp, api_key, webhook_secret }: RunningServer, columns: number): string[] {
  return [
    ...inLines([`${NAME}  API ${base_url}`, `SMTP ${smtp.host}:${smtp.port}`], columns),
    inLines([`API key ${api_key}`, `webhook secret ${webhook_secret}`], columns)[0] ?? '',
  ];
}

/** Returns one line if both parts fit, else two. */
function inLines(parts: [string, string], columns: number): string[] {
  const line = parts.join('  ');
  return line.length <= columns ? [line] : parts;
}

export function Header({ lines: [first = '', ...others] }: { lines: readonly string[] }) {
  return (
    <>
      <Text wrap="truncate">
        <Text bold>{NAME}</Text>
        {first.slice(NAME.length)}
      </Text>
      {others.map((line) => (
        <Text key={line} wrap="truncate">
          {line}
        </Text>
      ))}
    </>
  );
}

/** Shows the last notice or the current prompt, and the keys. */
export function Footer({ state }: { state: DashboardState }) {
  return (
    <>
      <Text wrap="truncate">{notice(state)}</Text>
      <Text wrap="truncate" dimColor>
        {keys(state)}
      </Text>
    </>
  );
}

function notice({ prompt, notice, filter }: DashboardState): string {
  if (prompt?.kind === 'filter') return `filter: ${filter}▏`;
  const filtered = filter.trim() === '' ? undefined : `filter: ${filter.trim()} (esc shows all)`;
  return notice ?? filtered ?? ' ';
}

function keys({ prompt, opened }: DashboardState): string {
  if (prompt?.kind === 'filter') return 'type to filter  enter apply  esc cancel';
  if (prompt) return '↑↓ choose  enter confirm  esc cancel';
  if (opened?.kind === 'help') return '↑↓ scroll  q back';
  if (opened) {
    const act = opened.row.email ? '  s simulate' : opened.row.replay ? '  r replay' : '';
    return `↑↓ scroll  q back${act}`;
  }
  return '? help  q quit  tab pane  ↑↓ row  enter open  s simulate  r replay  f filter';
}
