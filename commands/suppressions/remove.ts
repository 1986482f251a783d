import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class SuppressionsRemove extends ControlCommand {
  static override summary = 'Remove an address from the suppression list';

  static override examples = ['<%= config.bin %> suppressions remove ada@example.test'];

  static override args = { address: Args.string({ description: 'Email address.', required: true }) };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SuppressionsRemove);
    const { address } = args;
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Remove ${address} from the suppression list`, flags);
      await client.control('suppressions.delete', { params: { address } });
      this.print({ address, removed: true }, () => `${address}  removed\n`);
    });
  }
}
