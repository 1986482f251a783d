import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/control-command.js';
import { describeInspection } from '../../src/cli/inspection-output.js';
import { emailIdOf } from '../../src/cli/latest-email.js';

export default class EmailsInspect extends ControlCommand {
  static override summary = 'Show what a local server alone can tell of an email: recipients, envelope, events';

  static override description =
    'Every recipient with its kind (to, cc, bcc) and status, Reply-To, the SMTP envelope, attachments, links, warnings, ' +
    'why the message could not be parsed, and its events in order. The service itself tells none of it.';

  static override examples = [
    { description: 'The newest', command: '<%= config.bin %> emails inspect latest' },
    { description: 'As JSON', command: '<%= config.bin %> emails inspect latest --json' },
    { description: 'One of them', command: '<%= config.bin %> emails inspect msg_01k9m3v5w7x9y1z3a5b7c9d1e3' },
  ];

  static override args = {
    id: Args.string({ description: 'A msg_ id, or latest.', required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsInspect);
    await this.withClient(flags, async (client) => {
      const inspection = await client.control('emails.inspect', {
        params: { id: await emailIdOf(args.id, client, flags) },
      });
      this.print(inspection, () => describeInspection(inspection));
    });
  }
}
