import { existsSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import type { CheckReport } from '../../src/cli/emails/check/run-checks.js';
import { shortfall, type Thresholds, thresholdFlags, thresholdsOf } from '../../src/cli/emails/check/thresholds.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';

export default class EmailsCheck extends ControlCommand {
  static override summary = 'Check an email’s HTML, content and authentication';

  static override description =
    'Checks how mail clients support the HTML and CSS, with a score from 0 to 100, and images, contrast, links, ' +
    'size, plain text, preheader, placeholders, unsubscribing, spam patterns, and the alignment of SPF, DKIM and ' +
    'DMARC. Requests links only with --links or --all-links, and exits with 0 even if checks fail, unless ' +
    '--fail-on or --min-score is given. An argument with a dot or a slash is a file, whose sending domain is not ' +
    'checked: HTML if its name ends with .html, otherwise a message.';

  static override needs = 'A local server with its control API enabled, except for a file.';

  static override exitCodes = { 3: 'The email does not meet --fail-on or --min-score.' };

  static override examples = [
    { description: 'Check the newest email', command: '<%= config.bin %> emails check' },
    {
      description: 'Fail on errors such as placeholders, and on a low score',
      command: '<%= config.bin %> emails check latest --fail-on error --min-score 50',
    },
    {
      description: 'Check a file without a server',
      command: '<%= config.bin %> emails check emails/welcome/body.html',
    },
    {
      description: 'List what Gmail and classic Outlook change',
      command: '<%= config.bin %> emails check latest --client gmail --client outlook.windows',
    },
    { description: 'Print the result as JSON', command: '<%= config.bin %> emails check latest --json' },
  ];

  static override args = {
    id: Args.string({
      description:
        'Email ID (msg_…), its last 6 or more characters, or latest; or an .eml or .html file, which needs no server.',
      default: LATEST,
    }),
  };

  static override flags = {
    ...newestMatchFlag,
    links: Flags.boolean({ description: 'Request links that point to this machine, without credentials.' }),
    'all-links': Flags.boolean({
      description: 'Also request links that point to other machines, except private networks.',
    }),
    ...thresholdFlags(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsCheck);
    await checkEmailChoice(args.id, flags);
    const thresholds = await thresholdsOf(flags);
    const linkScope = flags['all-links'] ? 'all' : flags.links ? 'local' : 'none';
    if (namesFile(args.id)) {
      if (linkScope !== 'none') throw new UsageError('Links are requested for emails on a server only.', LINKS_HINT);
      const { checkFile } = await import('../../src/cli/emails/check/check-file.js');
      return this.#show({ file: args.id, ...(await checkFile(args.id, thresholds.views)), links: null }, thresholds);
    }
    if (args.id !== LATEST && existsSync(args.id)) {
      this.info(`"${args.id}" is read as an email ID. To check the file of that name, pass ./${args.id}`);
    }
    await this.withClient(flags, async (client, target) => {
      const { readViews, runChecks } = await import('../../src/cli/emails/check/run-checks.js');
      const id = await emailToRead(client, target, args.id, flags);
      const report = await runChecks(client, id, linkScope);
      const { views } = thresholds;
      await this.#show(
        views.length > 0 ? { ...report, views: await readViews(client, id, views) } : report,
        thresholds,
      );
    });
  }

  async #show(report: CheckReport, thresholds: Thresholds): Promise<void> {
    const { describeChecks, summaryOf } = await import('../../src/cli/emails/check/describe-checks.js');
    this.print(report, () => describeChecks(report));
    this.info(summaryOf(report));
    const problem = shortfall(report, thresholds);
    if (problem === undefined) return;
    this.status(problem);
    process.exitCode = exitCodes.assertionFailed;
  }
}

const LINKS_HINT = 'Omit --links and --all-links, or add the message to a server with "svc emails import".';

/** Returns whether an argument names a file: IDs consist of letters, digits, hyphens and underscores. */
function namesFile(argument: string): boolean {
  return /[./\\]/.test(argument);
}
