import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { confirmOnRemote } from '../../src/cli/confirm.js';
import { readEventTypes } from '../../src/cli/event-types.js';
import { UsageError } from '../../src/cli/exit-codes.js';
import { yesFlag } from '../../src/cli/shared-flags.js';
import { describeWebhook } from '../../src/cli/webhook-output.js';
import { given } from '../../src/contract/given.js';

export default class WebhooksUpdate extends ClientCommand {
  static override summary = 'Change any of a subscription’s fields';

  static override examples = [
    {
      description: 'Pause it',
      command: '<%= config.bin %> webhooks update whk_01k9m3v5w7x9y1z3a5b7c9d1e3 --no-active',
    },
  ];

  static override args = { id: Args.string({ description: 'A whk_ id.', required: true }) };

  static override flags = {
    url: Flags.string({ description: 'New URL.' }),
    events: Flags.string({ description: 'New event types, comma-separated; repeatable.', multiple: true }),
    secret: Flags.string({ description: 'New secret.' }),
    active: Flags.boolean({ description: 'Switch it on, or off with --no-active.', allowNo: true }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksUpdate);
    const { url, secret, active } = flags;
    const events = flags.events && readEventTypes('--events', flags.events);
    const change = given({ url, events, secret, active });
    if (Object.keys(change).length === 0) {
      throw new UsageError('Nothing to change: give --url, --events, --secret, --active or --no-active.');
    }
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Change ${args.id}`, flags);
      const webhook = await client.call('webhooks.update', { params: { id: args.id }, body: change });
      this.print(webhook, () => describeWebhook(webhook));
    });
  }
}
