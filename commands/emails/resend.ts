import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';

export default class EmailsResend extends ControlCommand {
  static override summary = 'Send a new email with the same content';

  static override description =
    'Sends the same content or message to the same recipients at once, and prints the ID of the new email. The email ' +
    'may be scheduled or cancelled. Local servers only.';

  static override examples = [
    { description: 'Send the newest email again', command: '<%= config.bin %> emails resend latest' },
  ];

  static override args = { id: Args.string({ description: 'Email ID (msg_…), or latest.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsResend);
    await this.withClient(flags, async (client) => {
      const id = await idOrLatest(client, 'email', args.id, flags);
      const resent = await client.control('emails.resend', { params: { id } });
      this.print(resent, () => `${resent.id}\n`);
    });
  }
}
