import { Client } from '../../client/client.js';
import { otherServer, profileInUse } from '../command/local-command.js';
import { unreviewedWarning } from '../data-dir/database-check.js';
import type { RunningServer } from '../data-dir/server-file.js';
import type { InternalErrorLog } from '../errors/internal-error-log.js';
import { describeClockBriefly } from '../output/formatters/clock.js';
import { localZone, systemNow } from '../output/local-time.js';
import { type CommandLine, oneLine } from '../output/text.js';
import { AsyncSignal } from '../process/signals.js';
import { pause } from '../process/write-stdout.js';
import type { LocalServer } from '../server/local-server.js';
import { commandFor, describeIndexing } from '../server/startup-message.js';
import { userAgent } from '../target/target.js';
import { openView } from '../terminal/ink/open-view.js';
import { ViewStore } from '../terminal/ink/use-redraw.js';
import { DashboardActions } from './actions.js';
import type { ServerFacts } from './components/status-bar.js';
import { DashboardApp } from './dashboard-app.js';
import { DashboardFeed, REST_PER_WORK } from './feed.js';
import { eachPane, paneNames, panes } from './panes/index.js';
import type { Row } from './panes/pane.js';
import { type Change, type DashboardState, detailedRow, initialState, reduce, rowsNeeded } from './state.js';
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
  const { app, address } = server;
  const client = new Client({ baseUrl: address.base_url, apiKey: address.api_key, userAgent, fetch: app.fetch });
  const { now: since, plan } = await client.control('info', {});
  const command = (line: string) => commandFor(server, line);
  const commands = eachPane((name) => {
    const { fill, elsewhere } = panes[name];
    return { fill: fill && command(fill), elsewhere: command(elsewhere) };
  });
  const store = new ViewStore({ ...initialState, commands }, reduce);
  const notice = (text: string) => store.change({ kind: 'notice', text });
  showFirstNotices(server, notice);
  const feed = new DashboardFeed(client, {
    onPages: (pages) => store.change({ kind: 'pages', pages }),
    onSummary: (summary) => store.change({ kind: 'summary', summary }),
    onError: (error) => notice(error.message),
  });
  const actions = new DashboardActions(client, store, () => feed.refresh(), command);
  store.subscribe(() => {
    for (const name of paneNames) feed.want(name, rowsNeeded(store.current(), name));
  });
  const facts = factsOf(address, plan, app.clock.now());
  const ending = new AbortController();
  const release = errorLog.hold(notice);
  const view = await openView(
    (suspend) => <DashboardApp {...{ store, actions, server, facts, quit, suspend }} />,
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
    await Promise.all([
      feed.run(ending.signal),
      readDetails(client, command, store, ending.signal),
      watchClock(app.clock, store, ending.signal),
    ]);
  } finally {
    leave();
  }
  await view.ended;
  return countCaptured(client, since);
}

/** Reports what the user should know first. A later notice replaces an earlier one. */
function showFirstNotices({ app, address }: LocalServer, notice: (text: string) => void): void {
  const other = otherServer(address.base_url);
  if (other) {
    notice(`Commands use ${other.baseUrl} by default, because of ${other.why}. For this server, add --profile local.`);
  }
  app.onIndexing((progress) => notice(describeIndexing(progress)));
  const unreviewed = unreviewedWarning(app.unreviewedRows, address.data_dir);
  if (unreviewed !== undefined) notice(unreviewed);
}

function factsOf({ base_url, smtp }: RunningServer, plan: string, now: number): ServerFacts {
  return {
    inbox: new URL(base_url).origin,
    baseUrl: base_url,
    smtp: `${smtp.host}:${smtp.port}`,
    plan,
    profile: profileInUse(process.env),
    zone: localZone(now),
  };
}

/** Interval of looks at the clock, because no stream reports that it was moved. */
const CLOCK_MS = 1_000;

async function watchClock(
  clock: LocalServer['app']['clock'],
  store: ViewStore<DashboardState, Change>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const moved = describeClockBriefly(clock);
    if (moved !== store.current().clock) store.change({ kind: 'clock', clock: moved });
    await pause(CLOCK_MS, signal);
  }
}

const REST_MIN_MS = 50;

/** Reads the details of the visible row: when another one is selected, and after its pane was read again. */
async function readDetails(
  client: Client,
  command: CommandLine,
  store: ViewStore<DashboardState, Change>,
  signal: AbortSignal,
): Promise<void> {
  const changed = new AsyncSignal();
  const notify = () => changed.notify();
  const unsubscribe = store.subscribe(notify);
  signal.addEventListener('abort', notify, { once: true });
  let read: Row | undefined;
  while (!signal.aborted) {
    const row = detailedRow(store.current());
    if (row === undefined || row === read) {
      await changed.wait();
      continue;
    }
    const began = systemNow();
    const text = await row.open(client, command).catch((error: Error) => `Cannot load: ${oneLine(error.message)}`);
    const took = Math.max(0, systemNow() - began);
    read = row;
    if (!signal.aborted) store.change({ kind: 'detail', id: row.id, text });
    await pause(Math.max(REST_MIN_MS, took * REST_PER_WORK), signal);
  }
  unsubscribe();
}
