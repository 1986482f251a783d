import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { requireControl } from '../../src/cli/control-command.js';
import { readEventTypes } from '../../src/cli/event-types.js';
import { nextCommand } from '../../src/cli/next-command.js';
import { describeWebhook } from '../../src/cli/webhook-output.js';
import { given } from '../../src/contract/given.js';

export default class WebhooksCreate extends ClientCommand {
  static override summary = 'Subscribe a URL to events';

  static override description =
    'The secret is read from SVC_WEBHOOK_SECRET when --secret is not given; without one, requests are not signed.';

  static override examples = [
    '<%= config.bin %> webhooks create --url http://localhost:3000/hooks --events email.delivered,email.bounced',
  ];

  static override flags = {
    url: Flags.string({ description: 'Where events go: https, or http to this machine.', required: true }),
    events: Flags.string({ description: 'Event types, comma-separated; repeatable.', required: true, multiple: true }),
    secret: Flags.string({ description: 'Signs each request.', env: 'SVC_WEBHOOK_SECRET', noCacheDefault: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksCreate);
    const events = readEventTypes('--events', flags.events);
    await this.withClient(flags, async (client, target) => {
      const body = { url: flags.url, events, ...given({ secret: flags.secret }) };
      const webhook = await client.call('webhooks.create', { body });
      this.print(webhook, () => describeWebhook(webhook));
      const canTrigger =
        target.kind !== 'remote' &&
        (await requireControl(target).then(
          () => true,
          () => false,
        ));
      if (canTrigger) this.say(`Try it with: ${nextCommand(`webhooks trigger ${webhook.events[0]}`, flags)}`);
    });
  }
}
