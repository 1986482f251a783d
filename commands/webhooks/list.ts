import { ClientCommand } from '../../src/cli/command/client-command.js';
import { ALL_EVENTS } from '../../src/cli/flags/values/event-types.js';
import { signing } from '../../src/cli/output/formatters/webhook.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { signedWebhooks } from '../../src/cli/webhooks/signed-webhooks.js';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ACTIVE', rank: 3, kind: 'status' },
  { title: 'URL', rank: 2 },
  { title: 'EVENTS', rank: 5 },
];
/** Whether requests are signed. */
const REQUESTS: Column = { title: 'REQUESTS', rank: 4, kind: 'status' };

export default class WebhooksList extends ClientCommand {
  static override summary = 'List webhooks, newest first';

  static override examples = ['<%= config.bin %> webhooks list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksList);
    await this.withClient(flags, async (client, target) => {
      const list = await client.call('webhooks.list', {});
      const signed = flags.json ? new Map<string, boolean>() : await signedWebhooks(target);
      this.print(list, () => {
        const known = signed.size > 0;
        const rows = list.webhooks.map(({ id, active, url, events }) => [
          id,
          active ? 'yes' : 'no',
          url,
          events.length === eventTypes.length ? ALL_EVENTS : events.join(','),
          ...(known ? [signing(signed.get(id))] : []),
        ]);
        return rows.length > 0 ? table(known ? [...COLUMNS, REQUESTS] : COLUMNS, rows, stdoutView()) : '';
      });
      if (list.webhooks.length === 0) this.info('No webhooks. To create one, see: svc webhooks create --help');
    });
  }
}
