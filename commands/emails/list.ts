import { Flags } from '@oclif/core';
import { ListCommand } from '../../src/cli/command/list-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { EMAIL_COLUMNS, emailRow } from '../../src/cli/emails/email-table.js';
import { withSubjectMarks } from '../../src/cli/emails/parse-state.js';
import { watchEmails } from '../../src/cli/emails/watch.js';
import { checkPeriod, periodFlags } from '../../src/cli/flags/period.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { allFlag, pageFlags } from '../../src/cli/flags/shared.js';
import { rowWriter, stdoutView } from '../../src/cli/output/table.js';
import { stdoutDrained } from '../../src/cli/output/write-stdout.js';
import { pause } from '../../src/cli/process/pause.js';
import { runUntilStopped } from '../../src/cli/process/until-stopped.js';
import type { EmailSummary } from '../../src/contract/service/emails.js';
import { emailStatuses } from '../../src/contract/vocabulary/email-statuses.js';

const filterFlags = {
  status: fills('status', Flags.option({ options: emailStatuses, description: 'Filter by status.' })()),
  to: fills('to', Flags.string({ description: 'Filter by recipient address.', helpValue: 'ADDRESS' })),
  from: fills('from', Flags.string({ description: 'Filter by sender address.', helpValue: 'ADDRESS' })),
  tag: fills(
    'tags',
    Flags.string({ description: 'Filter by tag; repeatable, emails must have all of them.', multiple: true }),
    (tags) => tags.join(','),
  ),
  ...periodFlags({ since: 'Earliest date, in ISO 8601.', until: 'Latest date, in ISO 8601.' }),
};

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
    { description: 'Watch for new emails', command: '<%= config.bin %> emails list --watch' },
  ];

  static override flags = {
    ...pageFlags,
    ...allFlag,
    watch: Flags.boolean({
      description: 'Print new emails as they arrive, until Ctrl-C.',
      exclusive: ['all', 'limit', 'offset', 'since', 'until'],
    }),
    ...filterFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsList);
    checkPeriod(flags);
    const filters = await requestFields(filterFlags, flags);
    const send = nextCommand('emails send --to delivered@simulator.test', flags);
    const isFiltered = Object.keys(filters).length > 0;
    const none = isFiltered ? 'No emails match.' : `No emails. Send one with: ${send}`;
    await this.withClient(flags, async (client, { kind }) => {
      const complete = async (emails: EmailSummary[]) =>
        kind === 'remote' || flags.json ? emails : withSubjectMarks(client, emails);
      if (flags.watch) {
        return runUntilStopped((signal) => {
          const onLost = (reason: string | undefined) =>
            this.info(reason === undefined ? 'Reconnected.' : `${reason}; reconnecting`);
          const onReady = () => this.status('Waiting for emails. Press Ctrl-C to stop.');
          const stream = kind !== 'embedded';
          const emails = watchEmails(client, { filters, stream, signal, pause, onLost, onReady });
          return this.#printEach(emails, complete, signal);
        });
      }
      await this.printList(client, flags, {
        field: 'emails',
        columns: EMAIL_COLUMNS,
        row: emailRow,
        readPage: (page) => client.call('emails.list', { query: { ...filters, ...page } }),
        complete,
        none,
      });
    });
  }

  async #printEach(
    emails: AsyncIterable<EmailSummary>,
    complete: (emails: EmailSummary[]) => Promise<EmailSummary[]>,
    signal: AbortSignal,
  ): Promise<void> {
    // Times are not relative, because the lines stay on the screen.
    const rows = rowWriter(EMAIL_COLUMNS, stdoutView());
    for await (const email of emails) {
      const shown = (await complete([email])).map(emailRow);
      this.print(email, () => rows(shown));
      if (!(await stdoutDrained(signal))) return;
    }
  }
}
