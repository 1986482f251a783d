import { ControlCommand } from '../../src/cli/command/control-command.js';
import { CommandError } from '../../src/cli/errors/exit-codes.js';
import { reportFileFlag, reportFlags } from '../../src/cli/flags/report.js';
import { pastTimeFlag, timeBefore } from '../../src/cli/flags/values/value-types.js';
import { describeReport } from '../../src/cli/output/formatters/warning-report.js';
import { finishReport, prepareReportFile } from '../../src/cli/server/report/report.js';

export default class DevReport extends ControlCommand {
  static override summary = 'List requests that the service may refuse';

  static override description =
    'Lists the distinct warnings since the server started: about requests that it accepts and the service may ' +
    'refuse, and notes about the set-up of the account. Each has its count, route and user agent, the first and ' +
    'last request, a request to reproduce it, and what the service may answer. "svc dev --strict" refuses such ' +
    'requests.';

  static override exitCodes = { 3: 'With --fail-on-warning: the report has a warning.' };

  static override examples = [
    '<%= config.bin %> dev report',
    {
      description: 'Fail a build if the tests caused a warning, and keep the report for the CI server',
      command: '<%= config.bin %> dev report --fail-on-warning --junit report.xml',
    },
  ];

  static override flags = {
    since: pastTimeFlag({
      description:
        'Only warnings that occurred since then; counts include earlier occurrences (default: the server’s start).',
    }),
    ...reportFlags,
    junit: reportFileFlag(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevReport);
    if (flags.junit !== undefined) prepareReportFile(flags.junit);
    await this.withClient(flags, async (client, target) => {
      if (target.kind === 'embedded') {
        throw new CommandError(
          'No local server is running, so nothing was recorded.',
          'Start one with "svc dev", or run "svc dev exec --report -- COMMAND".',
        );
      }
      const since = flags.since && timeBefore(flags.since, Date.parse((await client.control('info', {})).now));
      const report = await client.control('report', { query: { since } });
      this.print(report, () => describeReport(report));
      process.exitCode = finishReport(report, flags);
    });
  }
}
