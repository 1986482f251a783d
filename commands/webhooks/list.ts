import { ClientCommand } from '../../src/cli/command/client-command.js';
import { ALL_EVENTS } from '../../src/cli/flags/event-types.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { signedWebhooks } from '../../src/cli/webhooks/signature-check.js';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ACTIVE', rank: 3, kind: 'status' },
  { title: 'URL', rank: 2 },
  { title: 'EVENTS', rank: 5 },
];
const SIGNED: Column = { title: 'SIGNED', rank: 4, kind: 'status' };

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
          yesOrNo(active),
          url,
          events.length === eventTypes.length ? ALL_EVENTS : events.join(','),
          ...(known ? [yesOrNo(signed.get(id))] : []),
        ]);
        return rows.length > 0 ? table(known ? [...COLUMNS, SIGNED] : COLUMNS, rows, stdoutView()) : '';
      });
      if (list.webhooks.length === 0) this.info('No webhooks. To create one, see: svc webhooks create --help');
    });
  }
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}
