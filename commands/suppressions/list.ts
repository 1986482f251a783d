import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { moreHint, pageFlags } from '../../src/cli/flags/shared.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'ADDRESS', rank: 1 },
  { title: 'REASON', rank: 2 },
  { title: 'SINCE', rank: 3, kind: 'time' },
  { title: 'EMAIL', rank: 4, kind: 'id' },
  { title: 'WORKSPACE', rank: 5 },
];

export default class SuppressionsList extends ControlCommand {
  static override summary = 'List suppressed addresses, newest first';

  static override examples = [
    '<%= config.bin %> suppressions list',
    { description: 'List those of one domain', command: '<%= config.bin %> suppressions list --search @example.test' },
  ];

  static override flags = {
    ...pageFlags,
    search: fills('search', Flags.string({ description: 'Part of the address.' })),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SuppressionsList);
    await this.withClient(flags, async (client) => {
      const query = await requestFields(SuppressionsList.flags, flags);
      const page = await client.control('suppressions.list', { query });
      const hasWorkspaces = page.suppressions.some(({ workspace }) => workspace !== null);
      const columns = COLUMNS.filter(({ title }) => hasWorkspaces || title !== 'WORKSPACE');
      const rows = page.suppressions.map(({ address, reason, email_id, created_at, workspace }) => [
        address,
        reason,
        created_at,
        email_id ?? '-',
        ...(hasWorkspaces ? [workspace ?? '-'] : []),
      ]);
      this.print(page, () => (rows.length > 0 ? table(columns, rows, stdoutView(client.now)) : ''));
      if (page.pagination.total === 0)
        this.info(
          flags.search === undefined ? 'No suppressed addresses.' : 'No suppressed address contains this text.',
        );
      const more = moreHint(rows.length, page);
      if (more) this.info(more);
    });
  }
}
