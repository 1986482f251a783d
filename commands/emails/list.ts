import { Flags } from '@oclif/core';
import { requireControl } from '../../src/cli/command/control-command.js';
import { ListCommand } from '../../src/cli/command/list-command.js';
import { sendAdvice } from '../../src/cli/command/next-command.js';
import { checkStatus, emailFilterFlags } from '../../src/cli/emails/list-flags.js';
import { withSubjectMarks } from '../../src/cli/emails/parse-state.js';
import { EMAIL_COLUMNS, emailRow, printArrivals } from '../../src/cli/emails/print-arrivals.js';
import { searchFlag } from '../../src/cli/emails/query-flags.js';
import { allMatches, type ListFilters, searchPage, withFilters } from '../../src/cli/emails/search/search-emails.js';
import { withSentMarks } from '../../src/cli/emails/sent-marks.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { checkPeriod, withPeriodAt } from '../../src/cli/flags/period.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { allFlag, pageFlags } from '../../src/cli/flags/shared.js';
import { checkQuery } from '../../src/cli/flags/values/query.js';
import { quoted, shellQuote } from '../../src/cli/output/text.js';
import type { EmailSummary } from '../../src/contract/service/emails.js';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import { operatorHint } from '../../src/contract/vocabulary/query/query.js';

export default class EmailsList extends ListCommand {
  static override summary = 'List emails, newest first';

  static override description =
    'With --json, prints the response data; with --all, the same object with every email in it, written page by page. ' +
    'With --watch, prints new emails as they arrive, oldest first, with --json as one object per line; stop it with ' +
    'Ctrl-C (exit code 130). --search needs a local server; the filters apply as well, and --json adds "total_exact": ' +
    'whether all matches were counted.';

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
    {
      description: 'List emails with a link and a word in the subject',
      command: '<%= config.bin %> emails list --search "subject:order has:link"',
    },
    { description: 'Watch for new emails', command: '<%= config.bin %> emails list --watch' },
  ];

  static override flags = {
    ...pageFlags,
    ...allFlag,
    watch: Flags.boolean({
      description: 'Print new emails as they arrive, until Ctrl-C.',
      exclusive: ['all', 'limit', 'offset', 'since', 'until'],
    }),
    search: searchFlag('List only emails that match a query, such as: subject:reset has:link.'),
    ...emailFilterFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsList);
    checkPeriod(flags);
    if (flags.search !== undefined) await checkQuery('--search', flags.search);
    await this.withClient(flags, async (client, target) => {
      const { kind, now } = target;
      const { search } = flags;
      if (kind !== 'remote') checkStatus(flags.status);
      if (search !== undefined) await requireControl(target, '--search');
      // With --json, the error is the server's.
      if (!flags.json) refuseParts(flags, kind !== 'remote');
      const query = search === undefined ? undefined : withFilters(search, withPeriodAt(flags, now()));
      const filters = await requestFields(emailFilterFlags, withPeriodAt(flags, now()));
      const isFiltered = search !== undefined || Object.keys(filters).length > 0;
      const readPage = (page: { limit: number; offset: number }) =>
        query === undefined
          ? client.call('emails.list', { query: { ...filters, ...page } })
          : searchPage(client, query, page);
      const complete = async (emails: EmailSummary[]) =>
        kind === 'remote' || flags.json ? emails : withSubjectMarks(client, await withSentMarks(client, emails));
      if (flags.watch) {
        return printArrivals(client, {
          readPage,
          search: query,
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
        readPage,
        ...(query !== undefined && { readAll: (offset) => allMatches(client, query, offset) }),
        complete,
        none: isFiltered ? noMatch(flags, kind !== 'remote') : `No emails. ${sendAdvice(kind, flags)}`,
      });
    });
  }
}

/** The filters compare whole addresses, but users expect the patterns of "svc dev rules" here. */
function noMatch(flags: Filters, canSearch: boolean): string {
  const hint = flags.search === undefined ? undefined : operatorHint(parseQuery(flags.search));
  if (hint !== undefined) return `No emails match. ${hint}`;
  const pattern = filters.find((flag) => flags[flag]?.includes('*'));
  if (flags.search !== undefined || pattern === undefined) return 'No emails match.';
  const none = 'No emails match. --to and --from match whole addresses, not patterns.';
  return canSearch ? `${none} For patterns, use ${searchFor(pattern, flags)}.` : none;
}

type Filters = ListFilters & { search?: string | undefined };

const filters = ['to', 'from'] as const;

/** @throws UsageError for a part of an address, which "svc emails wait" and --search take. */
function refuseParts(flags: Filters, canSearch: boolean): void {
  const part = filters.find((flag) => flags[flag] !== undefined && !flags[flag].includes('@'));
  if (flags.search !== undefined || part === undefined) return;
  throw new UsageError(
    `--${part} must be a whole address, not ${quoted(flags[part] ?? '')}.`,
    ...(canSearch ? [`For a part of an address, use ${searchFor(part, flags)}.`] : []),
  );
}

function searchFor(flag: (typeof filters)[number], flags: Filters): string {
  return `--search ${shellQuote(`${flag}:${flags[flag]}`)}`;
}
