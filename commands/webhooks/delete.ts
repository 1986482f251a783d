import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class WebhooksDelete extends ClientCommand {
  static override summary = 'Delete a webhook';

  static override examples = ['<%= config.bin %> webhooks delete whk_01k9m3v5w7x9y1z3a5b7c9d1e3'];

  static override args = { id: Args.string({ description: 'Webhook ID (whk_…), or latest.', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksDelete);
    await this.withClient(flags, async (client, target) => {
      let { id } = args;
      const remove = async () => {
        id = await idOrLatest(client, 'webhook', args.id, flags);
        await confirmOnRemote(target, `Delete ${id}`, flags);
        await client.call('webhooks.delete', { params: { id } });
      };
      const deleted = await deleteIfExists(flags, remove, { client, warn: (text) => this.printWarning(text) });
      this.print({ id, deleted }, () => `${id}  ${deleted ? 'deleted' : 'not found'}\n`);
    });
  }
}
