import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { nextCommand } from '../../../src/cli/command/next-command.js';
import { type Column, stdoutView, table } from '../../../src/cli/output/table.js';
import { formatDuration } from '../../../src/contract/vocabulary/durations.js';

const COLUMNS: Column[] = [
  { title: 'NAME', rank: 1 },
  { title: 'EMAILS', rank: 2 },
  { title: 'THIS MONTH', rank: 6 },
  { title: 'KEEP', rank: 7 },
  { title: 'MAX AGE', rank: 8 },
  { title: 'CREATED', rank: 3, kind: 'time' },
  { title: 'EXPIRES', rank: 5, kind: 'time' },
  { title: 'ADDRESSES', rank: 4 },
];

export default class DevWorkspacesList extends ControlCommand {
  static override summary = 'List workspaces, oldest first';

  static override examples = ['<%= config.bin %> dev workspaces list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevWorkspacesList);
    await this.withClient(flags, async (client) => {
      const listed = await client.control('workspaces.list', {});
      const rows = listed.workspaces.map(
        ({ name, emails, sent_this_month, monthly_quota, keep, max_age_ms, created_at, expires_at, addresses }) => [
          name,
          String(emails),
          monthly_quota === null ? String(sent_this_month) : `${sent_this_month} of ${monthly_quota}`,
          keep === null ? '-' : String(keep),
          max_age_ms === null ? '-' : formatDuration(max_age_ms),
          created_at,
          expires_at ?? '-',
          addresses.join(', ') || '-',
        ],
      );
      this.print(listed, () => (rows.length > 0 ? table(COLUMNS, rows, stdoutView(client.now)) : ''));
      if (rows.length === 0) {
        this.info(`No workspaces. Create one with: ${nextCommand('dev workspaces create worker-1', flags)}`);
      }
    });
  }
}
