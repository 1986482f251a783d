import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { workspaceFlag } from '../../src/cli/flags/workspaces.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class SuppressionsRemove extends ControlCommand {
  static override summary = 'Remove an address from the suppression list';

  static override examples = ['<%= config.bin %> suppressions remove ada@example.test'];

  static override args = { address: Args.string({ description: 'Email address.', required: true }) };

  static override flags = {
    ...workspaceFlag,
    ...yesFlag,
    ...ifExistsFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SuppressionsRemove);
    const { address } = args;
    const query = await requestFields(workspaceFlag, flags);
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Remove ${address} from the suppression list`, flags);
      const removed = await deleteIfExists(flags, () =>
        client.control('suppressions.delete', { params: { address }, query }),
      );
      this.print({ address, removed }, () => `${address}  ${removed ? 'removed' : 'not found'}\n`);
    });
  }
}
