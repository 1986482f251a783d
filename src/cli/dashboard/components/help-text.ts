import type { LocalServer } from '../../server/local-server.js';
import { describeServer } from '../../server/startup-message.js';
import { bindings } from '../key-map.js';
import { ROWS_MAX } from '../panes/pane.js';

/** Returns the help text: the keys, and what `svc dev` prints without a dashboard. */
export function helpText(server: LocalServer): string {
  return `Keys:

${keyLines().join('\n')}

Each pane shows the newest ${ROWS_MAX.toLocaleString('en')} rows.

${describeServer(server).trimEnd()}
`;
}

/** Returns a line for each key of the help. They fit a terminal of 80 columns. */
export function keyLines(): string[] {
  const described = bindings.flatMap(({ help }) => (help ? [help] : []));
  return described.map(([names, text]) => `  ${names.padEnd(18)}${text}`);
}
