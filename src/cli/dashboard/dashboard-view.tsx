import { Client } from '../../client/client.js';
import { localCommand, otherServer } from '../command/local-command.js';
import { unreviewedWarning } from '../data-dir/database-check.js';
import type { InternalErrorLog } from '../errors/internal-error-log.js';
import { describeMovedClock } from '../output/formatters/clock.js';
import type { LocalServer } from '../server/local-server.js';
import { userAgent } from '../target/target.js';
import { openView } from '../terminal/ink/open-view.js';
import { ViewStore } from '../terminal/ink/view-store.js';
import { DashboardActions } from './actions.js';
import { DashboardApp } from './dashboard-app.js';
import { DashboardFeed } from './feed.js';
import { paneNames } from './panes/index.js';
import { initialState, reduce, rowsNeeded } from './state.js';
import { type Captured, countCaptured } from './summary.js';

export interface DashboardOptions {
  errorLog: InternalErrorLog;
  /** Closes the view. */
  signal: AbortSignal;
  /** Called on q and ^C. */
  quit(): void;
}

/** Enough for smooth movement; more frames only cost processor time. */
const FRAMES_PER_SECOND = 15;

/**
 * Shows the activity of a server of this process until the signal. Returns the number of captured emails. Restores the
 * screen in any case.
 */
export async function showDashboard(
  server: LocalServer,
  { errorLog, signal, quit }: DashboardOptions,
): Promise<Captured> {
  const { app, address, foundIn } = server;
  const client = new Client({ baseUrl: address.base_url, apiKey: address.api_key, userAgent, fetch: app.fetch });
  const since = (await client.control('info', {})).now;
  const store = new ViewStore(initialState, reduce);
  const actions = new DashboardActions(client, store);
  const notice = (text: string) => store.change({ kind: 'notice', text });
  const moved = describeMovedClock(app.clock);
  const { base_url, data_dir } = address;
  const other = otherServer(base_url);
  if (other) {
    notice(`Commands use ${other.baseUrl} by default, because of ${other.why}. For this server, add --profile local.`);
  }
  if (moved !== undefined) {
    const reset =
      foundIn === null ? 'svc dev clock reset' : localCommand('dev clock reset', foundIn, { baseUrl: base_url });
    notice(`The clock is ${moved}. To reset it, run: ${reset}`);
  }
  const unreviewed = unreviewedWarning(app.unreviewedRows, data_dir);
  if (unreviewed !== undefined) notice(unreviewed);
  const feed = new DashboardFeed(client, {
    onPages: (pages) => store.change({ kind: 'pages', pages }),
    onError: (error) => notice(error.message),
  });
  store.subscribe(() => {
    for (const name of paneNames) feed.want(name, rowsNeeded(store.current(), name));
  });
  const ending = new AbortController();
  const release = errorLog.hold(notice);
  const view = await openView(
    (suspend) => <DashboardApp {...{ store, actions, server, quit, suspend }} />,
    () => ending.abort(),
    { maxFps: FRAMES_PER_SECOND },
  );
  const leave = () => {
    ending.abort();
    view.leave();
    release();
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    await feed.run(ending.signal);
  } finally {
    leave();
  }
  await view.ended;
  return countCaptured(client, since);
}
