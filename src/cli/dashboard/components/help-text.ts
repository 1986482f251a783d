import { wrapLine } from '../../output/display-width.js';
import type { LocalServer } from '../../server/local-server.js';
import { describeServer } from '../../server/startup-message.js';
import { bindings } from '../key-map.js';
import { ROWS_MAX } from '../panes/pane.js';

/** The width of the names of the keys, with the space before and after them. */
const KEY_COLUMNS = 20;

/** Returns the help text for a width: the keys, and what `svc dev` prints without a dashboard. */
export function helpText(server: LocalServer, columns: number): string {
  const described = bindings.flatMap(({ help }) => (help ? [help] : []));
  const keys = described.flatMap(([names, text]) => {
    const [first, ...more] = wrapLine(text, Math.max(1, columns - KEY_COLUMNS));
    return [`  ${names}`.padEnd(KEY_COLUMNS) + first, ...more.map((line) => ' '.repeat(KEY_COLUMNS) + line)];
  });
  return `Keys:

${keys.join('\n')}

Each pane shows the newest ${ROWS_MAX.toLocaleString('en')} rows.

${describeServer(server).trimEnd()}
`;
}
