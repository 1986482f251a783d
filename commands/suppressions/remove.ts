import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { confirmOnRemote } from '../../src/cli/confirm.js';
import { yesFlag } from '../../src/cli/shared-flags.js';

export default class SuppressionsRemove extends ClientCommand {
  static override summary = 'Send to an address again';

  static override examples = ['<%= config.bin %> suppressions remove ada@example.test'];

  static override args = { address: Args.string({ description: 'The address.', required: true }) };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SuppressionsRemove);
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Send to ${args.address} again`, flags.yes);
      await client.control('suppressions.delete', { params: { address: args.address } });
      this.say(`${args.address} is no longer suppressed`);
    });
  }
}
