import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class EmailsCancel extends ClientCommand {
  static override summary = 'Cancel a scheduled email';

  static override examples = ['<%= config.bin %> emails cancel msg_01k9m3v5w7x9y1z3a5b7c9d1e3'];

  static override args = { id: Args.string({ description: 'Email ID (msg_…), or latest.', required: true }) };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsCancel);
    await this.withClient(flags, async (client, target) => {
      const id = await idOrLatest(client, 'email', args.id, flags);
      await confirmOnRemote(target, `Cancel ${id}`, flags);
      const cancelled = await client.call('emails.cancel', { params: { id } });
      this.print(cancelled, () => `${cancelled.id || id}  ${cancelled.status || 'cancelled'}\n`);
    });
  }
}
