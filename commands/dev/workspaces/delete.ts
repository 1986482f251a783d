import { Args } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { deleteIfExists } from '../../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../../src/cli/flags/shared.js';
import { confirm } from '../../../src/cli/terminal/confirm.js';

export default class DevWorkspacesDelete extends ControlCommand {
  static override summary = 'Delete a workspace with its emails, webhooks and keys';

  static override examples = ['<%= config.bin %> dev workspaces delete worker-1 --yes'];

  static override args = { name: Args.string({ description: 'Name of the workspace.', required: true }) };

  static override flags = {
    yes: { ...yesFlag.yes, description: 'Skip the confirmation before deleting.' },
    ...ifExistsFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevWorkspacesDelete);
    const { name } = args;
    await this.withClient(flags, async (client) => {
      await confirm(`Delete workspace ${name} with its emails, webhooks and API keys`, flags);
      const deleted = await deleteIfExists(flags, () => client.control('workspaces.delete', { params: { name } }));
      this.print({ name, deleted }, () => `${name}  ${deleted ? 'deleted' : 'not found'}\n`);
    });
  }
}
