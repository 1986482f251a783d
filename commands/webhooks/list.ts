import { ClientCommand } from '../../src/cli/client-command.js';
import { table } from '../../src/cli/text.js';

export default class WebhooksList extends ClientCommand {
  static override summary = 'List webhook subscriptions, newest first';

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
        return rows.length > 0 ? table(['ID', 'ACTIVE', 'URL', 'EVENTS'], rows) : '';
      });
      if (list.webhooks.length === 0) this.say('No webhooks. Make one with: svc webhooks create --help');
    });
  }
}
