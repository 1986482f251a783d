import type { LocalServer } from '../../server/local-server.js';
import { describeServer } from '../../server/startup-message.js';
import { ROWS_MAX } from '../panes/pane.js';

/** Returns what `?` shows: the keys, and everything that `svc dev` prints without a dashboard. */
export function helpText(server: LocalServer): string {
  return `Keys:

  tab  ← →  1-4     switch pane: emails, events, webhook deliveries, requests
  ↑ ↓  pgup pgdn    select a row; home selects the newest, and new rows scroll in
  enter             open or close the selected row; esc and q close it too
  s                 simulate an outcome for the email: a bounce, an open, a click
  r                 replay the delivery or event
  f  /              filter all panes by text
  ?                 show or close this help
  q                 stop the server; in an open row, go back
  ^C                stop the server; press again to stop it at once
  ^Z                suspend the dashboard; fg resumes it

Each pane shows the newest ${ROWS_MAX.toLocaleString('en')} rows. Times are in UTC.

${describeServer(server).trimEnd()}
`;
}
