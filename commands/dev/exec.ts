import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { reportFlags } from '../../src/cli/flags/report.js';
import { readServerFlags, serverFlags } from '../../src/cli/flags/server.js';
import { printedOut } from '../../src/cli/output/color.js';
import { describeReport } from '../../src/cli/output/formatters/warning-report.js';
import { runChild } from '../../src/cli/process/child-process.js';
import { withExecServer } from '../../src/cli/server/exec-server.js';
import { checkReportFile, failsOnWarning, finishReport, startReport } from '../../src/cli/server/report/report.js';
import { serverVariables } from '../../src/cli/server/settings/variables.js';

export default class DevExec extends BaseCommand {
  static override summary = 'Run a command with a local server in its environment';

  static override description =
    'Sets SVC_BASE_URL, SVC_API_KEY, SVC_SMTP_HOST, SVC_SMTP_PORT, SVC_WEBHOOK_SECRET and SVC_DATA_DIR for the ' +
    'command. Uses the running local server. If none is running, starts one in memory, on free ports, until the ' +
    'command ends; --plan, --retry-schedule, --delivery-delay, --strict, --domain, --keep and --max-age apply to it. Signals are ' +
    'forwarded to the command, and its exit code becomes this command’s exit code.';

  static override usage = 'dev exec [--fresh] [--domain NAME]... [--strict] [--report] [flags] -- COMMAND...';

  static override exitCodes = {
    3: 'With --fail-on-warning: COMMAND succeeded, and its requests caused a warning.',
    126: 'COMMAND is not executable.',
    127: 'COMMAND was not found.',
  };

  static override examples = [
    { description: 'Run tests against a fresh server', command: '<%= config.bin %> dev exec --fresh -- npm test' },
    {
      description: 'Run a large test suite without the limit of 1,200 requests per minute',
      command: '<%= config.bin %> dev exec --fresh --plan none -- npm test',
    },
    {
      description: 'Fail if the tests send a request that the service may refuse',
      command: '<%= config.bin %> dev exec --fresh --report --fail-on-warning -- npm test',
    },
    {
      description: 'Print the address that the command receives',
      command: `<%= config.bin %> dev exec -- sh -c 'echo "$SVC_BASE_URL"'`,
    },
  ];

  static override strict = false;

  static override flags = {
    ...dataDirFlag,
    fresh: Flags.boolean({ description: 'Start a new server in memory, even if one is running.' }),
    ...serverFlags,
    report: Flags.boolean({ description: 'Print the warnings of svc dev report on stderr when the command ends.' }),
    ...reportFlags,
  };

  async run(): Promise<void> {
    const separator = this.argv.indexOf('--');
    const [command, ...args] = separator === -1 ? [] : this.argv.slice(separator + 1);
    if (command === undefined) {
      throw new UsageError(
        'Missing required argument COMMAND.',
        'Put it after --, for example: svc dev exec -- npm test',
      );
    }
    const { flags, argv, metadata } = await this.parse(DevExec);
    if (argv.length > args.length + 1) {
      throw new UsageError(
        `Unexpected argument before --: ${JSON.stringify(argv[0])}.`,
        'Put the whole command after --.',
      );
    }
    if (flags.junit !== undefined) checkReportFile(flags.junit);
    // A new server needs no data directory.
    const dataDir = flags.fresh ? undefined : this.takeDataDir(flags);
    const serverFlag = Object.keys(serverFlags).find((name) => name in flags && !metadata.flags[name]?.setFromDefault);
    const options = { serverFlag, ...readServerFlags(flags) };
    await withExecServer(dataDir, options, async (server, itsDataDir) => {
      const trust = flags['trust-data-dir'] ? { SVC_TRUST_DATA_DIR: '1' } : {};
      const wantsReport = flags.report || flags.junit !== undefined || flags['fail-on-warning'];
      const report = wantsReport ? await startReport(server) : undefined;
      const code = await runChild(command, args, { ...serverVariables(server, itsDataDir), ...trust });
      process.exitCode = code;
      if (!report) return;
      try {
        const found = await report();
        // A failure shows its reason.
        const isShown = flags.report || (code === 0 && failsOnWarning(found, flags));
        if (isShown) this.status(printedOut(describeReport(found)).trimEnd());
        const reportCode = finishReport(found, flags);
        if (code === 0) process.exitCode = reportCode;
      } catch (error) {
        // The exit code of a failed command says more than that of its report.
        if (code === 0 || !(error instanceof Error)) throw error;
        this.report(error);
      }
    });
  }
}
