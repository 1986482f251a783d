import { Args } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { describeInspection } from '../../src/cli/output/formatters/email-inspection.js';

export default class EmailsInspect extends ControlCommand {
  static override summary = 'Show an email’s recipients, codes, links and events';

  static override description =
    'Shows all data of an email on the local server: each recipient with its type (to, cc, bcc) and status, ' +
    'Reply-To, the SMTP envelope, attachments, one-time codes, links with their kinds (verify, reset, magic, invite, ' +
    'unsubscribe or other), warnings, parse errors and events in order. The service does not provide this data.';

  static override examples = [
    { description: 'Inspect the newest email', command: '<%= config.bin %> emails inspect latest' },
    { description: 'Print it as JSON', command: '<%= config.bin %> emails inspect latest --json' },
    {
      description: 'Inspect an email by ID',
      command: '<%= config.bin %> emails inspect msg_01k9m3v5w7x9y1z3a5b7c9d1e3',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Email ID (msg_…), its last 6 or more characters, or latest.' }),
  };

  static override flags = newestMatchFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsInspect);
    await checkEmailChoice(args.id, flags);
    await this.withClient(flags, async (client, target) => {
      const inspection = await client.control('emails.inspect', {
        params: { id: await emailToRead(client, target, args.id, flags) },
      });
      this.print(inspection, () => describeInspection(inspection, (line) => nextCommand(line, flags)));
    });
  }
}
