import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { runDashboard } from '../../src/cli/dashboard/run-dashboard.js';
import { unreviewedWarning } from '../../src/cli/data-dir/database-check.js';
import { type DataDirFlags, locateDataDir } from '../../src/cli/data-dir/find.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { InternalErrorLog } from '../../src/cli/errors/internal-error-log.js';
import { readAllowedHost } from '../../src/cli/flags/allowed-host.js';
import { trustDataDirFlag } from '../../src/cli/flags/data-dir.js';
import { readDnsFlags } from '../../src/cli/flags/dns-server.js';
import { readPorts, readServerFlags, serverFlags } from '../../src/cli/flags/server.js';
import { finishStdout } from '../../src/cli/output/write-stdout.js';
import { type StopSignal, untilSignal } from '../../src/cli/process/signals.js';
import {
  DEFAULT_HTTP_PORT,
  DEFAULT_SMTP_PORT,
  type ServerPlace,
  startLocalServer,
} from '../../src/cli/server/local-server.js';
import { printEvents } from '../../src/cli/server/print-events.js';
import { describeServer, readyLine } from '../../src/cli/server/startup-message.js';
import { canShowView } from '../../src/cli/terminal/capabilities.js';
import { API_KEY_FORM } from '../../src/contract/vocabulary/api-key-form.js';

export default class Dev extends BaseCommand {
  static override summary = 'Run the local server (REST API and SMTP)';

  static override description =
    'Listens on 127.0.0.1 unless --host is given, stores every email in SQLite, and simulates what the service would do ' +
    'next. On a terminal it shows a dashboard of emails, events, webhook deliveries and requests; press ? for its keys. ' +
    'Without a terminal, in CI, or with --no-dashboard or --no-input, it prints one line per event. With --json, the ' +
    'first line on stdout contains the server’s addresses, and each later line is an event in the form that webhooks ' +
    'carry.';

  static override exitCodes = { 0: 'Stopped by a signal.' };

  static override examples = [
    { description: 'Start the server on the default ports', command: '<%= config.bin %> dev' },
    {
      description: 'Start a server for tests: free ports, in memory, JSON output',
      command: '<%= config.bin %> dev --http-port 0 --smtp-port 0 --in-memory --json',
    },
    { description: 'Print lines instead of the dashboard', command: '<%= config.bin %> dev --no-dashboard' },
    {
      description: 'Use a fixed API key',
      command: '<%= config.bin %> dev --api-key svc_test_local',
    },
  ];

  static override flags = {
    'http-port': Flags.integer({
      description: 'Port of the REST API; 0 selects a free port.',
      default: DEFAULT_HTTP_PORT,
      min: 0,
      max: 65_535,
    }),
    'smtp-port': Flags.integer({
      description: 'Port of the SMTP server; 0 selects a free port.',
      default: DEFAULT_SMTP_PORT,
      min: 0,
      max: 65_535,
    }),
    host: Flags.string({ description: 'Address to listen on.', default: '127.0.0.1' }),
    'allow-host': Flags.string({
      description: 'Additional host name to accept, such as that of a container; repeatable.',
      helpValue: 'NAME',
      multiple: true,
    }),
    'data-dir': Flags.string({
      description:
        'Directory for the server’s data (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
      helpValue: 'DIR',
      exclusive: ['in-memory'],
    }),
    ...trustDataDirFlag,
    'in-memory': Flags.boolean({
      description:
        'Keep everything in memory. Commands still find this server unless another one uses the data directory.',
    }),
    'api-key': Flags.string({
      description: 'API key to accept; must start with svc_test_ or svc_live_.',
      helpValue: 'KEY',
    }),
    ...serverFlags,
    dns: Flags.string({
      description: 'DNS to use for domain verification (default: simulated, or real with --dns-server).',
      options: ['simulated', 'real'],
    }),
    'dns-server': Flags.string({
      description: 'DNS resolver to use instead of the system’s; repeatable.',
      helpValue: 'HOST:PORT',
      multiple: true,
    }),
    control: Flags.boolean({
      description: 'Serve the control API (/_svc); --no-control leaves only its health check.',
      allowNo: true,
      default: true,
    }),
    dashboard: Flags.boolean({
      description: 'Show the dashboard on a terminal; --no-dashboard and --no-control print lines.',
      allowNo: true,
      default: true,
    }),
    input: Flags.boolean({
      description: 'Read keys on a terminal; --no-input prints lines.',
      allowNo: true,
      default: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Dev);
    const apiKey = flags['api-key'];
    if (apiKey !== undefined && !API_KEY_FORM.test(apiKey)) {
      throw new UsageError('--api-key must be svc_test_ or svc_live_ followed by letters, digits, - or _.');
    }
    const dns = readDnsFlags(flags.dns, flags['dns-server']);
    const dashboard = !flags.json && flags.dashboard && flags.input && flags.control && canShowView(process.env);
    const errorLog = new InternalErrorLog();
    // Before the server is up, so that an early ^C does not leave it half started.
    const stopping = new AbortController();
    const stop = untilSignal(dashboard ? [...STOP_SIGNALS, 'SIGHUP'] : STOP_SIGNALS).then(() => stopping.abort());
    const server = await startLocalServer({
      host: flags.host,
      allowedHosts: (flags['allow-host'] ?? []).map(readAllowedHost),
      ...readPorts(flags),
      ...this.#place(flags),
      apiKey,
      ...(dns && { dns }),
      ...readServerFlags(flags),
      control: flags.control,
      onInternalError: errorLog.report,
    });
    if (dashboard) return runDashboard(server, { errorLog, signal: stopping.signal });
    const show = flags.json ? readyLine : describeServer;
    process.stdout.write(show(server));
    const unreviewed = unreviewedWarning(server.app.unreviewedRows, server.address.data_dir);
    if (unreviewed !== undefined) this.printWarning(unreviewed);
    const log = printEvents(server.app.follow(stopping.signal), flags.json, stopping.signal);
    await stop;
    // Before the store is closed: a reader that was behind gets what it has not got yet.
    await log;
    await server.close();
    await finishStdout(stopping.signal);
  }

  /** Returns where to run. A server in memory does not need a data directory, so one that is refused is left out. */
  #place(flags: DataDirFlags & { 'in-memory': boolean }): ServerPlace {
    const inMemory = flags['in-memory'];
    const located = locateDataDir(flags, process.env, process.cwd());
    if (inMemory && located.refusal) return { inMemory, dataDir: null };
    return { inMemory, dataDir: this.takeDataDir(flags, located) };
  }
}

/** A terminal that is closed ends a dashboard too; what runs without one may be meant to outlive it. */
const STOP_SIGNALS: StopSignal[] = ['SIGINT', 'SIGTERM'];
