import { describeServer } from '../dev-output.js';
import type { LocalServer } from '../local-server.js';
import { ROWS_MAX } from './pane.js';

/** What `?` shows: the keys, and all that `svc dev` says without a dashboard. */
export function helpText(server: LocalServer): string {
  return `Keys:

  tab  ← →  1-4     another pane: mails, events, webhook deliveries, requests
  ↑ ↓  pgup pgdn    another row; home is the newest, and follows what comes
  enter             open it; again, esc or q goes back
  s                 let something happen to the mail: a bounce, an open, a click
  r                 send the event of the delivery, or the event, again
  f  /              show only what contains a text, in every pane
  ?                 this, and back
  q                 stop the server; in what is open, go back
  ^C                stop the server; a second ^C ends it at once
  ^Z                give the shell its terminal back; fg goes on

The panes hold the newest ${ROWS_MAX.toLocaleString('en')} of each. Times are in UTC.

${describeServer(server).trimEnd()}
`;
}
