import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { assertEmails } from '../../src/cli/emails/assert/assert-emails.js';
import { type ContentFlags, contentChecks, contentFlags } from '../../src/cli/emails/assert/content-flags.js';
import {
  annotationsOf,
  describeResult,
  junitOfResult,
  loopbackStatus,
  summaryOf,
} from '../../src/cli/emails/assert/describe-result.js';
import { queryOf, receivedInWords, selectionFlags, sinceOf } from '../../src/cli/emails/query-flags.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';
import { systemNow } from '../../src/cli/output/local-time.js';
import { prepareReportFile, writeReportFile } from '../../src/cli/server/report/report.js';
import type { Client } from '../../src/client/client.js';

export default class EmailsAssert extends ControlCommand {
  static override summary = 'Check that an email was sent, and its content';

  static override description =
    'Checks the newest email that matches the conditions, or with --count all of them, without waiting; "svc ' +
    'emails wait" waits. Prints the result of every check, and exits with 3 if one failed. If no email matches, ' +
    'prints the emails that almost did, and which condition each failed.';

  static override exitCodes = { 3: 'A check failed.', 5: 'No local server is running.' };

  static override examples = [
    {
      description: 'Check that an email was sent, and where its link leads',
      command: '<%= config.bin %> emails assert --to ada@example.test --subject order --has-link https://example.test/',
    },
    {
      description: 'Check the newest email for placeholders and broken links',
      command: '<%= config.bin %> emails assert --no-placeholders --links-ok',
    },
    {
      description: 'Check that no one else received an email since a server started',
      command: '<%= config.bin %> emails assert --absent --to eve@example.test --since start',
    },
    {
      description: 'Write the HTML as a snapshot; without --update, compare it',
      command: '<%= config.bin %> emails assert --subject order --snapshot order.html --update',
    },
  ];

  static override flags = {
    ...selectionFlags,
    ...contentFlags,
    junit: Flags.string({ description: 'JUnit XML file to write the result to.', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsAssert);
    const { count, absent, junit } = flags;
    const query = await queryOf(flags);
    const since = sinceOf(flags.since, process.env);
    if (since === 'now') {
      throw new UsageError('--since now considers no email, because this command does not wait.', WAIT_HINT);
    }
    const checks = await contentChecks(flags, loopbackStatus);
    if (absent && checks.length > 0) {
      throw new UsageError(`--absent cannot be combined with ${contentFlagOf(flags)}.`);
    }
    if (junit !== undefined) prepareReportFile(junit);
    const assert = async (client: Client) => {
      const result = await assertEmails(client, { query, since, count, absent }, checks);
      this.print(result, () => describeResult(result));
      if (junit !== undefined) writeReportFile(junit, junitOfResult(result, query));
      if (process.env.GITHUB_ACTIONS) for (const line of annotationsOf(result.checks)) this.status(line);
      if (result.email) this.info(receivedInWords(result.email, systemNow()));
      this.info(summaryOf(result));
      if (!result.passed) process.exitCode = exitCodes.assertionFailed;
    };
    await this.withClient(flags, assert, { running: true });
  }
}

const WAIT_HINT = 'To wait for new emails, use "svc emails wait".';

/** Returns the first flag that checks content. */
function contentFlagOf(flags: ContentFlags): string {
  const names = Object.keys(contentFlags) as (keyof ContentFlags)[];
  return `--${names.find((name) => flags[name] !== undefined && flags[name] !== false)}`;
}
