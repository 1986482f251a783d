import { Text } from 'ink';
import type { RunningServer } from '../data-dir.js';
import type { DashboardState } from './state.js';

/** What stands around the panes. */

/** Where the server is and with what key; all else that it says when it starts is in the help. */
export function Header({ address, columns }: { address: RunningServer; columns: number }) {
  const { base_url, smtp, api_key, webhook_secret } = address;
  const key = `API key ${api_key}`;
  const secret = `  webhook secret ${webhook_secret}`;
  return (
    <>
      <Text wrap="truncate">
        <Text bold>svc dev</Text>
        {`  API ${base_url}  SMTP ${smtp.host}:${smtp.port}`}
      </Text>
      <Text wrap="truncate">{key + (key.length + secret.length <= columns ? secret : '')}</Text>
    </>
  );
}

/** What was done, or what is asked; and the keys. */
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
  if (prompt?.kind === 'filter') return 'type a text  enter keep  esc undo';
  if (prompt) return '↑↓ choose  enter do it  esc cancel';
  if (opened?.kind === 'help') return '↑↓ scroll  esc back  q quit';
  if (opened) {
    const act = opened.row.email ? '  s simulate' : opened.row.replay ? '  r replay' : '';
    return `↑↓ scroll  enter back${act}  q quit`;
  }
  return '? help  q quit  tab pane  ↑↓ row  enter open  s simulate  r replay  f filter';
}
