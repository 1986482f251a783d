import { Flags } from '@oclif/core';
import { readAllowedHost } from '../../src/cli/allowed-host.js';
import { BaseCommand } from '../../src/cli/base-command.js';
import { trustDataDirFlag } from '../../src/cli/data-dir-flag.js';
import { runDashboard } from '../../src/cli/dev-dashboard.js';
import { printEvents } from '../../src/cli/dev-log.js';
import { describeServer, readyLine } from '../../src/cli/dev-output.js';
import { readDnsFlags } from '../../src/cli/dns-server.js';
import { UsageError } from '../../src/cli/exit-codes.js';
import { FaultReport } from '../../src/cli/fault-report.js';
import { DEFAULT_HTTP_PORT, DEFAULT_SMTP_PORT, startLocalServer } from '../../src/cli/local-server.js';
import { readPorts, readServerFlags, serverFlags } from '../../src/cli/server-flags.js';
import { type StopSignal, untilSignal } from '../../src/cli/signals.js';
import { canShowView } from '../../src/cli/terminal.js';
import { leaveOutput } from '../../src/cli/write-out.js';
import { API_KEY_FORM } from '../../src/contract/api-key-form.js';

export default class Dev extends BaseCommand {
  static override summary = 'Run the local server: the REST API and SMTP, in one process';

  static override description =
    'Listens on this machine alone unless --host says otherwise, captures every mail in SQLite, and plays ' +
    'out what the service would do next. On a terminal it is a dashboard of mails, events, webhook deliveries and ' +
    'requests: open, simulate, replay, filter; ? says how. Elsewhere, in CI, with --no-dashboard or --no-input it ' +
    'prints a line an event. With --json the first line on stdout says where it is, and every later line is an event, ' +
    'as webhooks carry it.';

  static override exitCodes = { 0: 'Stopped by a signal.' };

  static override examples = [
    { description: 'Start it on the usual ports', command: '<%= config.bin %> dev' },
    {
      description: 'For a test run: free ports, nothing kept, one line of JSON when ready',
      command: '<%= config.bin %> dev --http-port 0 --smtp-port 0 --in-memory --json',
    },
    { description: 'With lines in place of the dashboard', command: '<%= config.bin %> dev --no-dashboard' },
    {
      description: 'With a key that stands in your settings',
      command: '<%= config.bin %> dev --api-key svc_test_local',
    },
  ];

  static override flags = {
    'http-port': Flags.integer({
      description: 'Port of the REST API; 0 picks a free one.',
      default: DEFAULT_HTTP_PORT,
      min: 0,
      max: 65_535,
    }),
    'smtp-port': Flags.integer({
      description: 'Port of SMTP; 0 picks a free one.',
      default: DEFAULT_SMTP_PORT,
      min: 0,
      max: 65_535,
    }),
    host: Flags.string({ description: 'Address to listen on.', default: '127.0.0.1' }),
    'allow-host': Flags.string({
      description: 'Name to answer to beside this machine’s own, such as that of a container; repeatable.',
      helpValue: 'NAME',
      multiple: true,
    }),
    'data-dir': Flags.string({
      description:
        'Where mail is kept. Default: SVC_DATA_DIR, else the nearest .svc/, else the user’s own data directory.',
      helpValue: 'DIR',
      exclusive: ['in-memory'],
    }),
    ...trustDataDirFlag,
    'in-memory': Flags.boolean({
      description: 'Keep nothing. Commands find the server all the same, unless another has the data directory.',
    }),
    'api-key': Flags.string({
      description: 'Pin the API key; it starts with svc_test_ or svc_live_.',
      helpValue: 'KEY',
    }),
    ...serverFlags,
    dns: Flags.string({
      description: 'Where domains verify looks records up; --dns-server means real.',
      options: ['simulated', 'real'],
    }),
    'dns-server': Flags.string({
      description: 'Resolver to ask instead of the system’s, as HOST or HOST:PORT; repeatable.',
      helpValue: 'HOST:PORT',
      multiple: true,
    }),
    control: Flags.boolean({
      description:
        'Serve the control API (/_svc), which the service does not have; --no-control leaves its health check.',
      allowNo: true,
      default: true,
    }),
    dashboard: Flags.boolean({
      description: 'On a terminal, a dashboard; --no-dashboard prints lines there too, as --no-control does.',
      allowNo: true,
      default: true,
    }),
    input: Flags.boolean({
      description: 'On a terminal, take keys; --no-input prints lines.',
      allowNo: true,
      default: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Dev);
    const apiKey = flags['api-key'];
    if (apiKey !== undefined && !API_KEY_FORM.test(apiKey)) {
      throw new UsageError('--api-key must be svc_test_ or svc_live_, then letters, digits, - or _.');
    }
    const dns = readDnsFlags(flags.dns, flags['dns-server']);
    const dashboard = !flags.json && flags.dashboard && flags.input && flags.control && canShowView(process.env);
    const faults = new FaultReport();
    // Before the server is up, so that an early ^C does not leave it half started.
    const stopping = new AbortController();
    const stop = untilSignal(dashboard ? [...STOP_SIGNALS, 'SIGHUP'] : STOP_SIGNALS).then(() => stopping.abort());
    const server = await startLocalServer({
      host: flags.host,
      allowedHosts: (flags['allow-host'] ?? []).map(readAllowedHost),
      ...readPorts(flags),
      dataDir: this.takeDataDir(flags),
      inMemory: flags['in-memory'],
      apiKey,
      ...(dns && { dns }),
      ...readServerFlags(flags),
      control: flags.control,
      onFault: faults.report,
    });
    if (dashboard) return runDashboard(server, { faults, signal: stopping.signal });
    const show = flags.json ? readyLine : describeServer;
    process.stdout.write(show(server));
    const log = printEvents(server.app.follow(stopping.signal), flags.json, stopping.signal);
    await stop;
    // Before the store is closed: a reader that was behind gets what it has not got yet.
    await log;
    await server.close();
    await leaveOutput(stopping.signal);
  }
}

/** A terminal that is closed ends a dashboard too; what runs without one may be meant to outlive it. */
const STOP_SIGNALS: StopSignal[] = ['SIGINT', 'SIGTERM'];
