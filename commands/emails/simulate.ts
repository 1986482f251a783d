import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { checkDetails, outcomeFlags } from '../../src/cli/flags/outcome.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { oneLine } from '../../src/cli/output/text.js';
import { type Outcome, outcomes } from '../../src/contract/vocabulary/outcome.js';

export default class EmailsSimulate extends ControlCommand {
  static override summary = 'Simulate an outcome for a sent email';

  static override description =
    'Simulates a bounce, complaint, open, click or other outcome. Replaces whatever was still pending for the recipient, ' +
    'and has taken effect when the command returns. Local servers only.';

  static override examples = [
    { description: 'Bounce the newest email', command: '<%= config.bin %> emails simulate latest bounced' },
    {
      description: 'Simulate a click by one recipient',
      command:
        '<%= config.bin %> emails simulate latest clicked --recipient ada@example.test --url https://example.test/reset',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Email ID (msg_…), or latest.', required: true }),
    outcome: Args.string({ description: 'Outcome to simulate.', required: true, options: [...outcomes] }),
  };

  static override flags = {
    recipient: fills(
      'recipient',
      Flags.string({ description: 'Recipient address (default: all recipients).', helpValue: 'ADDRESS' }),
    ),
    url: fills(
      'url',
      Flags.string({ description: 'Link to click (default: the first link in the email).', helpValue: 'URL' }),
    ),
    'user-agent': fills(
      'user_agent',
      Flags.string({ description: 'User agent of the open or click.', helpValue: 'TEXT' }),
    ),
    ip: fills('ip_address', Flags.string({ description: 'IP address of the open or click.', helpValue: 'ADDRESS' })),
    ...outcomeFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsSimulate);
    const outcome = args.outcome as Outcome;
    const details = await requestFields(EmailsSimulate.flags, flags);
    checkDetails({ outcome, ...details }, EmailsSimulate.flags);
    await this.withClient(flags, async (client) => {
      const id = await idOrLatest(client, 'email', args.id, flags);
      const simulated = await client.control('emails.simulate', { params: { id }, body: { outcome, ...details } });
      this.print(simulated, () =>
        simulated.recipients.map(({ address, status }) => `${id}  ${oneLine(address)}  ${status}\n`).join(''),
      );
    });
  }
}
