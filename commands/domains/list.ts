import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'DOMAIN', rank: 1 },
  { title: 'STATUS', rank: 2, kind: 'status' },
  { title: 'CREATED', rank: 3, kind: 'time' },
];

export default class DomainsList extends ClientCommand {
  static override summary = 'List sending domains, newest first';

  static override examples = ['<%= config.bin %> domains list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DomainsList);
    await this.withClient(flags, async (client) => {
      const list = await client.call('domains.list', {});
      this.print(list, () => {
        const rows = list.domains.map(({ domain, status, created_at }) => [domain, status, created_at]);
        return rows.length > 0 ? table(COLUMNS, rows, stdoutView(client.now)) : '';
      });
      if (list.domains.length === 0)
        this.info(`No domains. Add one with: ${nextCommand('domains add mail.example.com', flags)}`);
    });
  }
}
