import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { allPages } from '../../src/cli/emails/all-pages.js';
import { withSubjectMarks } from '../../src/cli/emails/parse-state.js';
import { type EmailFilters, watchEmails } from '../../src/cli/emails/watch.js';
import { readPeriod } from '../../src/cli/flags/period.js';
import { allFlag, moreHint, pageFlags } from '../../src/cli/flags/shared.js';
import { dateFlag } from '../../src/cli/flags/value-types.js';
import { writeAll } from '../../src/cli/output/list.js';
import { type Column, rowWriter, stdoutView, table } from '../../src/cli/output/table.js';
import { stdoutDrained } from '../../src/cli/output/write-stdout.js';
import { pause } from '../../src/cli/process/pause.js';
import { runUntilStopped } from '../../src/cli/process/until-stopped.js';
import type { Client } from '../../src/client/client.js';
import type { EmailSummary } from '../../src/contract/service/emails.js';
import { emailStatuses } from '../../src/contract/vocabulary/email-statuses.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'STATUS', rank: 2, kind: 'status' },
  { title: 'CREATED', rank: 5, kind: 'time' },
  { title: 'TO', rank: 3 },
  { title: 'SUBJECT', rank: 4 },
];
const rowOf = ({ id, status, created_at, to, subject }: EmailSummary) => [id, status, created_at, to, subject];
const NO_MATCH = 'No emails match.';

export default class EmailsList extends ClientCommand {
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
    status: Flags.option({ options: emailStatuses, description: 'Filter by status.' })(),
    to: Flags.string({ description: 'Filter by recipient address.', helpValue: 'ADDRESS' }),
    from: Flags.string({ description: 'Filter by sender address.', helpValue: 'ADDRESS' }),
    tag: Flags.string({ description: 'Filter by tag; repeatable, emails must have all of them.', multiple: true }),
    since: dateFlag({ description: 'Earliest date, in ISO 8601.' }),
    until: dateFlag({ description: 'Latest date, in ISO 8601.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsList);
    const filters: EmailFilters = {
      status: flags.status,
      to: flags.to,
      from: flags.from,
      tags: flags.tag?.join(','),
      ...readPeriod(flags),
    };
    const send = nextCommand('emails send --to delivered@simulator.test', flags);
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    const none = isFiltered ? NO_MATCH : `No emails. Send one with: ${send}`;
    await this.withClient(flags, async (client, { kind }) => {
      const isMarked = kind !== 'remote' && !flags.json;
      const marked = async (emails: EmailSummary[]) => (isMarked ? withSubjectMarks(client, emails) : emails);
      if (flags.watch) return this.#watch(client, { filters, stream: kind !== 'embedded', marked });
      const call = (query: { limit: number; offset: number }) =>
        client.call('emails.list', { query: { ...(filters as object), ...query } });
      if (flags.all) {
        const pages = allPages(async (query) => {
          const { emails, pagination } = await call(query);
          return { items: await marked(emails), pagination };
        }, flags.offset);
        const count = await writeAll(
          pages,
          { field: 'emails', columns: COLUMNS, row: rowOf },
          { json: flags.json, now: () => client.now },
        );
        if (count === 0) this.info(none);
        return;
      }
      const page = await call({ limit: flags.limit, offset: flags.offset });
      const rows = (await marked(page.emails)).map(rowOf);
      this.print(page, () => (rows.length > 0 ? table(COLUMNS, rows, stdoutView(client.now)) : ''));
      if (page.pagination.total === 0) this.info(none);
      const more = moreHint(page.emails.length, page.pagination);
      if (more) this.info(more);
    });
  }

  async #watch(
    client: Client,
    {
      marked,
      ...source
    }: { filters: EmailFilters; stream: boolean; marked(emails: EmailSummary[]): Promise<EmailSummary[]> },
  ): Promise<void> {
    // Lines that stay on the screen: how long ago something was would soon be wrong.
    const rows = rowWriter(COLUMNS, stdoutView());
    await runUntilStopped(async (signal) => {
      const onLost = (reason: string | undefined) =>
        this.info(reason === undefined ? 'Reconnected.' : `${reason}; reconnecting`);
      const onReady = () => void this.status('Waiting for emails. Press Ctrl-C to stop.');
      for await (const email of watchEmails(client, { ...source, signal, pause, onLost, onReady })) {
        const shown = (await marked([email])).map(rowOf);
        this.print(email, () => rows(shown));
        if (!(await stdoutDrained(signal))) return;
      }
    });
  }
}
