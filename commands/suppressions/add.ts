import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { workspaceFlag } from '../../src/cli/flags/workspaces.js';
import { oneLine } from '../../src/cli/output/text.js';

export default class SuppressionsAdd extends ControlCommand {
  static override summary = 'Add an address to the suppression list';

  static override description =
    'Emails to it are dropped, with the event email.dropped. Adding an address again has no effect.';

  static override examples = ['<%= config.bin %> suppressions add ada@example.test'];

  static override args = { address: Args.string({ description: 'Email address.', required: true }) };

  static override flags = { ...workspaceFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SuppressionsAdd);
    const scope = await requestFields(workspaceFlag, flags);
    await this.withClient(flags, async (client) => {
      const suppression = await client.control('suppressions.create', { body: { address: args.address, ...scope } });
      this.print(suppression, () => `${oneLine(suppression.address)}  ${suppression.reason}\n`);
    });
  }
}
