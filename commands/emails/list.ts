import { Flags } from '@oclif/core';
import { ListCommand } from '../../src/cli/command/list-command.js';
import { EMAIL_COLUMNS, emailRow } from '../../src/cli/emails/email-table.js';
import { emailFilterFlags } from '../../src/cli/emails/list-flags.js';
import { withSubjectMarks } from '../../src/cli/emails/parse-state.js';
import { printArrivals } from '../../src/cli/emails/print-arrivals.js';
import { sendAdvice } from '../../src/cli/emails/send-advice.js';
import { checkPeriod, withPeriodAt } from '../../src/cli/flags/period.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { allFlag, pageFlags } from '../../src/cli/flags/shared.js';
import type { EmailSummary } from '../../src/contract/service/emails.js';

export default class EmailsList extends ListCommand {
  static override summary = 'List emails, newest first';

  static override description =
    'With --json, prints the response data; with --all, the same object with every email in it, written page by page. ' +
    'With --watch, prints new emails as they arrive, oldest first, with --json as one object per line; stop it with ' +
    'Ctrl-C (exit code 130).';

  static override exitCodes = { 130: 'With --watch: stopped with Ctrl-C.' };

  static override examples = [
    { description: 'List the newest 20 emails', command: '<%= config.bin %> emails list' },
    { description: 'List the emails to one address', command: '<%= config.bin %> emails list --to ada@example.test' },
    {
      description: 'List delivered emails as JSON',
      command: '<%= config.bin %> emails list --status delivered --json',
    },
    { description: 'List every bounced email', command: '<%= config.bin %> emails list --status bounced --all' },
    { description: 'List the emails of the last two hours', command: '<%= config.bin %> emails list --since 2h' },
    { description: 'Watch for new emails', command: '<%= config.bin %> emails list --watch' },
  ];

  static override flags = {
    ...pageFlags,
    ...allFlag,
    watch: Flags.boolean({
      description: 'Print new emails as they arrive, until Ctrl-C.',
      exclusive: ['all', 'limit', 'offset', 'since', 'until'],
    }),
    ...emailFilterFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsList);
    checkPeriod(flags);
    await this.withClient(flags, async (client, { kind, now }) => {
      const filters = await requestFields(emailFilterFlags, withPeriodAt(flags, now()));
      const isFiltered = Object.keys(filters).length > 0;
      const complete = async (emails: EmailSummary[]) =>
        kind === 'remote' || flags.json ? emails : withSubjectMarks(client, emails);
      if (flags.watch) {
        return printArrivals(client, {
          filters,
          stream: kind !== 'embedded',
          complete,
          print: (email, human) => this.print(email, human),
          info: (text) => this.info(text),
          status: (text) => this.status(text),
        });
      }
      await this.printList(client, flags, {
        field: 'emails',
        columns: EMAIL_COLUMNS,
        row: emailRow,
        readPage: (page) => client.call('emails.list', { query: { ...filters, ...page } }),
        complete,
        none: isFiltered ? noMatch(flags) : `No emails. ${sendAdvice(kind, flags)}`,
      });
    });
  }
}

/** Addresses are compared as a whole, but users expect the patterns of "svc dev rules" here. */
function noMatch(addresses: { to?: string | undefined; from?: string | undefined }): string {
  const hasPattern = [addresses.to, addresses.from].some((address) => address?.includes('*'));
  return `No emails match.${hasPattern ? ' --to and --from match whole addresses, not patterns.' : ''}`;
}
