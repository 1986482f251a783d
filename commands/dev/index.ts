import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { runDashboard } from '../../src/cli/dashboard/run-dashboard.js';
import { unreviewedWarning } from '../../src/cli/data-dir/database-check.js';
import { locateDataDir } from '../../src/cli/data-dir/find.js';
import { svcCommand } from '../../src/cli/data-dir/svc-command.js';
import { CommandError, exitCodes, type StopSignal, UsageError } from '../../src/cli/errors/exit-codes.js';
import { InternalErrorLog } from '../../src/cli/errors/internal-error-log.js';
import type { DataDirFlags } from '../../src/cli/flags/data-dir.js';
import { safeText } from '../../src/cli/output/text.js';
import { openFileLimit } from '../../src/cli/process/child-process.js';
import { untilParentEnds } from '../../src/cli/process/parent.js';
import { runUntilStopped, untilSignal } from '../../src/cli/process/signals.js';
import { finishStdout } from '../../src/cli/process/write-stdout.js';
import { fewFilesWarning } from '../../src/cli/server/connection-limits.js';
import {
  type BackgroundLog,
  printEvents,
  serverArgs,
  startDetached,
  takeBackgroundLog,
} from '../../src/cli/server/detach.js';
import { seedFlag } from '../../src/cli/server/exec/flags.js';
import { prepareSeed } from '../../src/cli/server/exec/prepare-exec.js';
import { devServerFlags, readDevServerFlags } from '../../src/cli/server/flags/dev-server.js';
import { presetFlag } from '../../src/cli/server/flags/faults.js';
import { withMailpitVariables } from '../../src/cli/server/flags/mailpit.js';
import { readSmtpFlags, smtpFlags, withTlsDefaults } from '../../src/cli/server/flags/smtp.js';
import { type LocalServer, type ServerPlace, startLocalServer } from '../../src/cli/server/local-server.js';
import { readRelay } from '../../src/cli/server/relay/read-relay.js';
import type { Seed } from '../../src/cli/server/seed/read-seed.js';
import {
  describeIndexing,
  describeServer,
  jsonOfWarning,
  lineOfWarning,
  readyFacts,
} from '../../src/cli/server/startup-message.js';
import { reportMigration } from '../../src/cli/target/embedded.js';
import { canShowView } from '../../src/cli/terminal/capabilities.js';
import { inboxUrl } from '../../src/contract/vocabulary/inbox.js';
import { siteOf } from '../../src/contract/vocabulary/routes.js';

export default class Dev extends BaseCommand {
  static override summary = 'Run the local server (REST API and SMTP)';

  static override description =
    'Listens on 127.0.0.1 unless --host is given, stores every email in SQLite, and simulates what the service ' +
    'would do next. On a terminal it shows a dashboard of emails, events, webhook deliveries and requests; ' +
    'without one, in CI, or with --no-dashboard or --no-input, it prints one line per event. With --json, the ' +
    'first line on stdout contains the server’s addresses, and each later line is an event in the form that ' +
    'webhooks carry, or {"warning": …} for a request that the service may refuse.';

  static override exitCodes = { 0: 'Stopped by a signal; with --detach: the server is ready.' };

  static override examples = [
    { description: 'Start the server on the default ports', command: '<%= config.bin %> dev' },
    {
      description: 'Start a server for tests: free ports, in memory, JSON output',
      command: '<%= config.bin %> dev --http-port 0 --smtp-port 0 --in-memory --json',
    },
    { description: 'Start the server in the background', command: '<%= config.bin %> dev --detach' },
    { description: 'Print lines instead of the dashboard', command: '<%= config.bin %> dev --no-dashboard' },
    {
      description: 'Use a fixed API key',
      command: '<%= config.bin %> dev --api-key svc_test_local',
    },
    {
      description: 'Start the server with STARTTLS, and with TLS on port 1465',
      command: '<%= config.bin %> dev --starttls --smtp-tls-port',
    },
  ];

  static override flags = {
    ...devServerFlags,
    ...smtpFlags,
    ...seedFlag,
    ...presetFlag,
    dashboard: Flags.boolean({
      description: 'Show the dashboard on a terminal; --no-dashboard and --no-control print lines.',
      allowNo: true,
      default: true,
    }),
    open: Flags.boolean({ description: 'Open the web inbox in the browser once the server is ready.' }),
    detach: Flags.boolean({
      description: 'Start the server in the background, and return when it is ready.',
      exclusive: ['exit-with-parent'],
    }),
    'exit-with-parent': Flags.boolean({
      description: 'Stop when the program that started the server ends, also through npx or a shell.',
    }),
    input: Flags.boolean({
      description: 'Read keys on a terminal; --no-input prints lines.',
      allowNo: true,
      default: true,
    }),
  };

  #background: BackgroundLog | undefined;

  readonly #toStderr = (text: string): void => {
    if (this.#background) this.#background.write(text);
    else process.stderr.write(text);
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Dev, withMailpitVariables(withTlsDefaults(this.argv), process.env));
    if (flags.detach) return this.#startInBackground(flags);
    const background = takeBackgroundLog(process.env);
    this.#background = background;
    const { apiKey, smtpUsers } = background?.secrets ?? {};
    const options = readDevServerFlags({ ...flags, 'api-key': flags['api-key'] ?? apiKey });
    if (flags['keep-if'] !== undefined) {
      await (await import('../../src/cli/server/flags/keep-if.js')).checkKeepIf(options.retention);
    }
    const dashboard = !flags.json && flags.dashboard && flags.input && flags.control && canShowView(process.env);
    if (flags.seed !== undefined && !flags.control) {
      throw new UsageError('--seed cannot be combined with --no-control, because it uses the control API.');
    }
    if (flags.fault !== undefined && !flags.control) {
      throw new UsageError('--fault cannot be combined with --no-control, because it uses the control API.');
    }
    if (flags.open && !flags.control) {
      throw new UsageError('--open cannot be combined with --no-control, because the inbox uses the control API.');
    }
    const relay = await readRelay(flags);
    const smtp = await readSmtpFlags({ ...flags, 'smtp-user': flags['smtp-user'] ?? smtpUsers });
    const seed = flags.seed === undefined ? undefined : await prepareSeed(flags.seed);
    const errorLog = new InternalErrorLog(undefined, this.#toStderr);
    // Registered before the server starts, so that an early ^C does not leave a half-started server.
    const stopping = new AbortController();
    const stop = Promise.race([
      untilSignal(dashboard ? [...STOP_SIGNALS, 'SIGHUP'] : STOP_SIGNALS),
      ...(flags['exit-with-parent'] ? [untilParentEnds(stopping.signal)] : []),
      ...(background ? [background.abandoned] : []),
    ]).then(() => stopping.abort());
    const server = await startLocalServer({
      ...options,
      ...(relay && { relay }),
      domains: [...(options.domains ?? []), ...(seed?.domains ?? [])],
      ...this.#place(flags),
      registered: true,
      showsInbox: flags.control,
      onMigration: (step) => reportMigration(step, (line) => this.#toStderr(`${line}\n`)),
      smtp,
      onInternalError: errorLog.report,
      onNotice: errorLog.notice,
    });
    if (seed) await this.#seed(server, seed.contents);
    if (flags.fault) await (await import('../../src/cli/server/seed/apply-seed.js')).addFaults(server, flags.fault);
    if (flags.open) await this.#openInbox(server);
    if (dashboard) return runDashboard(server, { errorLog, signal: stopping.signal });
    const facts = readyFacts(server);
    const text = describeServer(server, background !== undefined);
    const unreviewed = unreviewedWarning(server.app.unreviewedRows, server.address.data_dir);
    const warnings = [unreviewed, fewFilesWarning(openFileLimit())].filter((text) => text !== undefined);
    for (const warning of warnings) this.printWarning(warning);
    try {
      background?.ready({ foundIn: server.foundIn, facts, text });
    } catch (error) {
      await server.close();
      throw error;
    }
    this.print(facts, () => text);
    server.app.onIndexing((progress) => this.info(describeIndexing(progress)));
    server.app.onWarning((warning) => process.stdout.write((flags.json ? jsonOfWarning : lineOfWarning)(warning)));
    // A log that no one reads would grow with every email. Events are in the store.
    const printed = background
      ? undefined
      : printEvents(server.app.follow(stopping.signal), flags.json, stopping.signal);
    await stop;
    // The store must stay open until a slow reader has received all events.
    await printed;
    if (flags['in-memory']) background?.remove();
    await server.close();
    await finishStdout(stopping.signal);
  }

  protected override status(text: string): void {
    this.#toStderr(`${safeText(text)}\n`);
  }

  async #openInbox({ inbox, address: { base_url } }: LocalServer): Promise<void> {
    if (inbox === null) return;
    const { NO_BROWSER, showInbox } = await import('../../src/cli/inbox/inbox-link.js');
    const url = inboxUrl(siteOf(base_url));
    const { opened } = await showInbox(
      { url, link: inbox, required: inbox !== url },
      { print: false, env: process.env },
    );
    if (!opened) this.info(NO_BROWSER);
  }

  async #seed(server: LocalServer, seed: Seed): Promise<void> {
    try {
      const { seedNewServer } = await import('../../src/cli/server/seed/apply-seed.js');
      if (await seedNewServer(server, seed)) return;
      this.printWarning('The seed was not added, because the server has contents. "svc dev reset" deletes them.');
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** Starts the same command without --detach in the background, and prints what it prints until it is ready. */
  async #startInBackground(flags: DetachFlags): Promise<void> {
    const dataDir = this.takeDataDir(flags);
    if (flags['inbox-password'] !== undefined) process.env.SVC_INBOX_PASSWORD = flags['inbox-password'];
    await runUntilStopped(async (signal) => {
      const started = await startDetached(
        serverArgs(this.argv),
        {
          dataDir,
          secrets: { apiKey: flags['api-key'], smtpUsers: flags['smtp-user'] },
          onStderr: (text) => process.stderr.write(text),
        },
        signal,
      );
      if (signal.aborted) return;
      if (started.ready) {
        const { ready, logFile } = started;
        const stop = svcCommand('dev stop', dataDir);
        process.stdout.once('error', () =>
          this.printWarning(`The server runs in the background (pid ${ready.facts.pid}). Stop it with "${stop}".`),
        );
        this.print({ ...ready.facts, log: logFile }, () => ready.text);
        this.info(`Its output is written to ${logFile}.`);
      } else if (started.code === 0) {
        throw new CommandError(
          'The server cannot run in the background, because another server has its data directory.',
          `Stop the other one with "${svcCommand('dev stop', dataDir)}", or choose another data directory with SVC_DATA_DIR.`,
        );
      } else {
        this.status(started.output.trimEnd() || 'Error: The server ended before it was ready.');
        process.exitCode = started.code ?? exitCodes.failed;
      }
    });
  }

  /** Returns the data directory of the server. A server in memory does not need one, so a refused one is omitted. */
  #place(flags: DataDirFlags & { 'in-memory': boolean }): ServerPlace {
    const inMemory = flags['in-memory'];
    const located = locateDataDir(flags, process.env, process.cwd());
    if (inMemory && located.refusal) return { inMemory, dataDir: null };
    return { inMemory, dataDir: this.takeDataDir(flags, located) };
  }
}

type DetachFlags = DataDirFlags & {
  json: boolean;
  'api-key': string | undefined;
  'inbox-password': string | undefined;
  'smtp-user': string[] | undefined;
};

/**
 * Signals that stop a server without a dashboard. SIGHUP is not one, because the server may be meant to outlive its
 * terminal.
 */
const STOP_SIGNALS: StopSignal[] = ['SIGINT', 'SIGTERM'];
