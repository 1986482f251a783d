import type { LocalServer } from '../../server/local-server.js';
import { describeServer } from '../../server/startup-message.js';
import { bindings } from '../key-map.js';
import { ROWS_MAX } from '../panes/pane.js';

/** Returns the help text: the keys, and what `svc dev` prints without a dashboard. */
export function helpText(server: LocalServer): string {
  const described = bindings.flatMap(({ help }) => help ?? []);
  const keys = described.map(([names, text]) => `  ${names.padEnd(18)}${text}`).join('\n');
  return `Keys:

${keys}

Each pane shows the newest ${ROWS_MAX.toLocaleString('en')} rows.

${describeServer(server).trimEnd()}
`;
}
