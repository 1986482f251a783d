import { Args } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { deleteIfExists } from '../../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../../src/cli/terminal/confirm.js';

export default class DevRulesRemove extends ControlCommand {
  static override summary = 'Remove an outcome rule';

  static override examples = ['<%= config.bin %> dev rules remove rul_01k9m3v5w7x9y1z3a5b7c9d1e3'];

  static override args = { id: Args.string({ description: 'Rule ID (rul_…).', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevRulesRemove);
    const { id } = args;
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Remove ${id}`, flags);
      const removed = await deleteIfExists(flags, () => client.control('rules.delete', { params: { id } }));
      this.print({ id, removed }, () => `${id}  ${removed ? 'removed' : 'not found'}\n`);
    });
  }
}
