import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { oneLine } from '../../src/cli/output/text.js';
import { confirm } from '../../src/cli/terminal/confirm.js';

export default class EmailsRelease extends ControlCommand {
  static override summary = 'Send a captured email through an SMTP server';

  static override description =
    'Sends the message as it was captured, without tracking, through the SMTP server of "svc dev --relay", to ' +
    'recipients that --relay-allow permits. Asks for confirmation on a terminal; elsewhere, pass --yes. "svc ' +
    'emails inspect" lists each attempt.';

  static override exitCodes = {
    1: 'The SMTP server refused the message or a recipient, or the command failed.',
    4: 'A recipient is not allowed, or the API key is wrong.',
  };

  static override examples = [
    {
      description: 'Send the newest email to yourself',
      command: '<%= config.bin %> emails release latest --to ada@corp.test --yes',
    },
  ];

  static override args = { id: Args.string({ description: 'Email ID (msg_…), or latest.', required: true }) };

  static override flags = {
    to: fills(
      'to',
      Flags.string({
        description: 'Recipient instead of those of the email; repeatable.',
        helpValue: 'ADDRESS',
        multiple: true,
      }),
    ),
    yes: { ...yesFlag.yes, description: 'Skip the confirmation before sending.' },
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsRelease);
    const body = await requestFields(EmailsRelease.flags, flags);
    await this.withClient(flags, async (client) => {
      const id = await idOrLatest(client, 'email', args.id, flags);
      if (!flags.yes) {
        const { recipients } = await client.control('emails.inspect', { params: { id } });
        const to = flags.to ?? recipients.map(({ address }) => address);
        await confirm(`Send ${id} to ${to.join(', ')} through a real SMTP server`, flags);
      }
      const released = await client.control('emails.release', { params: { id }, body });
      this.print(released, () => `${released.relay}  ${oneLine(released.reply ?? '')}\n`);
      for (const { address, reply } of released.rejected) this.info(`${address} was refused: ${reply}`);
      if (released.rejected.length > 0) process.exitCode = exitCodes.failed;
    });
  }
}
