import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { readEventTypesOrAll } from '../../src/cli/flags/event-types.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { describeWebhook } from '../../src/cli/output/formatters/request.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';
import { signedWebhooks, toSign } from '../../src/cli/webhooks/signature-check.js';

export default class WebhooksUpdate extends ClientCommand {
  static override summary = 'Update a webhook';

  static override examples = [
    {
      description: 'Pause a webhook',
      command: '<%= config.bin %> webhooks update whk_01k9m3v5w7x9y1z3a5b7c9d1e3 --no-active',
    },
  ];

  static override args = { id: Args.string({ description: 'Webhook ID (whk_…), or latest.', required: true }) };

  static override flags = {
    url: fills('url', Flags.string({ description: 'New URL.' })),
    events: fills(
      'events',
      Flags.string({ description: 'New event types, comma-separated, or all; repeatable.', multiple: true }),
      (values) => readEventTypesOrAll('--events', values),
    ),
    secret: fills('secret', Flags.string({ description: 'New signing secret.' })),
    active: fills(
      'active',
      Flags.boolean({ description: 'Activate the webhook; --no-active pauses it.', allowNo: true }),
    ),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksUpdate);
    const change = await requestFields(WebhooksUpdate.flags, flags);
    if (Object.keys(change).length === 0) {
      throw new UsageError('Nothing to update. Pass --url, --events, --secret, --active or --no-active.');
    }
    await this.withClient(flags, async (client, target) => {
      const id = await idOrLatest(client, 'webhook', args.id, flags);
      await confirmOnRemote(target, `Update ${id}`, flags);
      const webhook = await client.call('webhooks.update', { params: { id }, body: change });
      const signed = change.secret !== undefined || (await signedWebhooks(target)).get(id);
      this.print(webhook, () => describeWebhook(webhook, { signed }));
      if (signed === false) this.info(toSign(id, flags));
    });
  }
}
