import { ClientCommand } from '../../src/cli/command/client-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ACTIVE', rank: 3, kind: 'status' },
  { title: 'URL', rank: 2 },
  { title: 'EVENTS', rank: 4 },
];

export default class WebhooksList extends ClientCommand {
  static override summary = 'List webhooks, newest first';

  static override examples = ['<%= config.bin %> webhooks list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksList);
    await this.withClient(flags, async (client) => {
      const list = await client.call('webhooks.list', {});
      this.print(list, () => {
        const rows = list.webhooks.map(({ id, active, url, events }) => [
          id,
          active ? 'yes' : 'no',
          url,
          events.join(','),
        ]);
        return rows.length > 0 ? table(COLUMNS, rows, stdoutView()) : '';
      });
      if (list.webhooks.length === 0) this.info('No webhooks. To create one, see: svc webhooks create --help');
    });
  }
}
