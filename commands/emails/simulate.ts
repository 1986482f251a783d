import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { checkDetails, outcomeFlags } from '../../src/cli/flags/outcome.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { oneLine } from '../../src/cli/output/text.js';
import { ApiFailure } from '../../src/client/failures.js';
import { type Outcome, outcomes } from '../../src/contract/vocabulary/outcomes.js';

export default class EmailsSimulate extends ControlCommand {
  static override summary = 'Simulate an outcome for a sent email';

  static override description =
    'Simulates a bounce, complaint, open, click or other outcome for one recipient; an email with several requires --to ' +
    'or --all. Replaces whatever was still pending for the recipient, and has taken effect when the command returns. ' +
    'Local servers only.';

  static override examples = [
    { description: 'Bounce the newest email', command: '<%= config.bin %> emails simulate latest bounced' },
    {
      description: 'Simulate a click by one recipient',
      command:
        '<%= config.bin %> emails simulate latest clicked --to ada@example.test --url https://example.test/reset',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Email ID (msg_…), or latest.', required: true }),
    outcome: Args.string({ description: 'Outcome to simulate.', required: true, options: [...outcomes] }),
  };

  static override flags = {
    to: fills(
      'recipient',
      Flags.string({
        description: 'Recipient (default: the only recipient of the email).',
        helpValue: 'ADDRESS',
        aliases: ['recipient'],
      }),
    ),
    all: fills('all', Flags.boolean({ description: 'Simulate the outcome for every recipient.', exclusive: ['to'] })),
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
      const body = { outcome, ...details };
      const simulated = await client.control('emails.simulate', { params: { id }, body }).catch((error: unknown) => {
        // Without --to, the server refuses this field only for an email with several recipients.
        const unclear =
          error instanceof ApiFailure && flags.to === undefined && error.details?.[0]?.path === 'recipient';
        throw unclear ? new UsageError(error.message, 'Pass --to ADDRESS for one of them, or --all.') : error;
      });
      this.print(simulated, () =>
        simulated.recipients.map(({ address, status }) => `${id}  ${oneLine(address)}  ${status}\n`).join(''),
      );
      if (simulated.url !== null && flags.url === undefined) {
        this.info(`Clicked ${oneLine(simulated.url)}; to click another link, pass --url.`);
      }
    });
  }
}
