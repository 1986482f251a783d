import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/control-command.js';
import { emailIdOf } from '../../src/cli/latest-email.js';
import { checkDetails, outcomeFlags } from '../../src/cli/outcome-flags.js';
import { oneLine } from '../../src/cli/text.js';
import { given } from '../../src/contract/given.js';
import { type Outcome, outcomes } from '../../src/contract/outcome.js';

export default class EmailsSimulate extends ControlCommand {
  static override summary = 'Let something happen to an email that was sent: a bounce, a complaint, an open, a click';

  static override description =
    'Takes the place of whatever was still to happen to the recipient, and is done when the command ends. ' +
    'Local servers alone can do this.';

  static override examples = [
    { description: 'The newest email bounces', command: '<%= config.bin %> emails simulate latest bounced' },
    {
      description: 'One of its recipients clicks a link',
      command:
        '<%= config.bin %> emails simulate latest clicked --recipient ada@example.test --url https://example.test/reset',
    },
  ];

  static override args = {
    id: Args.string({ description: 'A msg_ id, or latest.', required: true }),
    outcome: Args.string({ description: 'What happens.', required: true, options: [...outcomes] }),
  };

  static override flags = {
    recipient: Flags.string({ description: 'One recipient; all of them when absent.', helpValue: 'ADDRESS' }),
    url: Flags.string({ description: 'The link that is clicked; the email’s first when absent.', helpValue: 'URL' }),
    'user-agent': Flags.string({ description: 'What opens the email or follows the link.', helpValue: 'TEXT' }),
    ip: Flags.string({ description: 'Where from.', helpValue: 'ADDRESS' }),
    ...outcomeFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsSimulate);
    const outcome = args.outcome as Outcome;
    const details = given({
      recipient: flags.recipient,
      url: flags.url,
      user_agent: flags['user-agent'],
      ip_address: flags.ip,
      bounce_type: flags['bounce-type'],
      complaint_type: flags['complaint-type'],
      reason: flags.reason,
      delay: flags.delay,
    });
    checkDetails({ outcome, ...details });
    await this.withClient(flags, async (client) => {
      const id = await emailIdOf(args.id, client, flags);
      const simulated = await client.control('emails.simulate', { params: { id }, body: { outcome, ...details } });
      this.print(simulated, () =>
        simulated.recipients.map(({ address, status }) => `${id}  ${oneLine(address)}  ${status}\n`).join(''),
      );
    });
  }
}
