import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { requireControl } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { readEventTypesOrAll } from '../../src/cli/flags/values/event-types.js';
import { describeWebhook } from '../../src/cli/output/formatters/webhook.js';

export default class WebhooksCreate extends ClientCommand {
  static override summary = 'Create a webhook';

  static override description =
    'Sends the given events to a URL. The signing secret comes from --secret or SVC_WEBHOOK_SECRET; without a secret, ' +
    'requests are not signed.';

  static override examples = [
    '<%= config.bin %> webhooks create --url http://localhost:3000/hooks --events email.delivered,email.bounced',
  ];

  static override flags = {
    url: fills(
      'url',
      Flags.string({ description: 'URL to send events to: https, or http on this machine.', required: true }),
    ),
    events: fills(
      'events',
      Flags.string({
        description: 'Event types to send, comma-separated, or all; repeatable.',
        required: true,
        multiple: true,
      }),
      (values) => readEventTypesOrAll('--events', values),
    ),
    secret: fills(
      'secret',
      Flags.string({
        description: 'Secret for signing requests.',
        env: 'SVC_WEBHOOK_SECRET',
        noCacheDefault: true,
      }),
    ),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksCreate);
    const body = await requestFields(WebhooksCreate.flags, flags);
    await this.withClient(flags, async (client, target) => {
      const webhook = await client.call('webhooks.create', { body });
      this.print(webhook, () => describeWebhook(webhook));
      const canTrigger =
        target.kind !== 'remote' &&
        (await requireControl(target).then(
          () => true,
          () => false,
        ));
      if (canTrigger) this.info(`To try it, run: ${nextCommand(`webhooks trigger ${webhook.events[0]}`, flags)}`);
    });
  }
}
