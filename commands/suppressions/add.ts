import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/control-command.js';
import { oneLine } from '../../src/cli/text.js';

export default class SuppressionsAdd extends ControlCommand {
  static override summary = 'Send nothing to an address any more';

  static override description = 'Mail to it is dropped, with the event email.dropped. One that is suppressed stays so.';

  static override examples = ['<%= config.bin %> suppressions add ada@example.test'];

  static override args = { address: Args.string({ description: 'The address.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SuppressionsAdd);
    await this.withClient(flags, async (client) => {
      const suppression = await client.control('suppressions.create', { body: { address: args.address } });
      this.print(suppression, () => `${oneLine(suppression.address)}  ${suppression.reason}\n`);
    });
  }
}
