import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';

export default class EmailsCheck extends ControlCommand {
  static override summary = 'Check an email’s HTML, content and authentication';

  static override description =
    'Checks how mail clients support the HTML and CSS, with a score from 0 to 100, and images, contrast, links, size, ' +
    'plain text, preheader, placeholders, unsubscribing, spam patterns, and the alignment of SPF, DKIM and DMARC. ' +
    'Requests links only with --links or --all-links. Exits with 0 even if checks fail, unless --fail-on or ' +
    '--min-score is given.';

  static override exitCodes = { 3: 'The email does not meet --fail-on or --min-score.' };

  static override examples = [
    { description: 'Check the newest email', command: '<%= config.bin %> emails check' },
    {
      description: 'Fail on errors such as placeholders, and on a low score',
      command: '<%= config.bin %> emails check latest --fail-on error --min-score 50',
    },
    { description: 'Print the result as JSON', command: '<%= config.bin %> emails check latest --json' },
  ];

  static override args = {
    id: Args.string({
      description: 'Email ID (msg_…), its last 6 or more characters, or latest.',
      default: LATEST,
    }),
  };

  static override flags = {
    ...newestMatchFlag,
    links: Flags.boolean({ description: 'Request links that point to this machine, without credentials.' }),
    'all-links': Flags.boolean({
      description: 'Also request links that point to other machines, except private networks.',
    }),
    'fail-on': Flags.option({ options: ['error', 'warning', 'info'] as const })({
      description: 'Lowest severity of a failed check that makes the command exit with 3.',
    }),
    'min-score': Flags.integer({
      description: 'Score of HTML and CSS support below which the command exits with 3.',
      min: 0,
      max: 100,
      helpValue: '0-100',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsCheck);
    await checkEmailChoice(args.id, flags);
    await this.withClient(flags, async (client, target) => {
      const { runChecks, shortfall, summaryOf } = await import('../../src/cli/emails/check/run-checks.js');
      const { describeChecks } = await import('../../src/cli/emails/check/describe-checks.js');
      const id = await emailToRead(client, target, args.id, flags);
      const report = await runChecks(client, id, flags['all-links'] ? 'all' : flags.links ? 'local' : 'none');
      this.print(report, () => describeChecks(report));
      this.info(summaryOf(report));
      const problem = shortfall(report, { failOn: flags['fail-on'], minScore: flags['min-score'] });
      if (problem === undefined) return;
      this.status(problem);
      process.exitCode = exitCodes.assertionFailed;
    });
  }
}
