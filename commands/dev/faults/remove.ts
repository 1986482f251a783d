import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { deleteIfExists } from '../../../src/cli/command/delete-if-exists.js';
import { UsageError } from '../../../src/cli/errors/exit-codes.js';
import { ifExistsFlag, yesFlag } from '../../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../../src/cli/terminal/confirm.js';

export default class DevFaultsRemove extends ControlCommand {
  static override summary = 'Remove a fault, or all of them';

  static override examples = [
    '<%= config.bin %> dev faults remove flt_01k9m3v5w7x9y1z3a5b7c9d1e3',
    '<%= config.bin %> dev faults remove --all',
  ];

  static override args = { id: Args.string({ description: 'Fault ID (flt_…).' }) };

  static override flags = {
    all: Flags.boolean({ description: 'Remove all faults, instead of ID.' }),
    ...yesFlag,
    ...ifExistsFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevFaultsRemove);
    const { id } = args;
    if (id === undefined && !flags.all) {
      throw new UsageError('Missing required argument ID.', 'Pass an ID, or --all to remove all faults.');
    }
    if (id !== undefined && flags.all) throw new UsageError('--all cannot be combined with ID.');
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Remove ${id ?? 'all faults'}`, flags);
      if (id === undefined) {
        const { removed } = await client.control('faults.clear', {});
        this.print({ removed }, () => `${removed} ${removed === 1 ? 'fault' : 'faults'} removed\n`);
        return;
      }
      const removed = await deleteIfExists(flags, () => client.control('faults.delete', { params: { id } }));
      this.print({ id, removed }, () => `${id}  ${removed ? 'removed' : 'not found'}\n`);
    });
  }
}
