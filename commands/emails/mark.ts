import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import {
  checkSelection,
  selectedEmails,
  selectedEmailsArg,
  selectedEmailsFlags,
} from '../../src/cli/emails/selected-emails.js';
import { plural } from '../../src/cli/output/plural.js';

export default class EmailsMark extends ControlCommand {
  static override summary = 'Mark emails as read or unread';

  static override description =
    'Queries find them with is:read and is:unread. "svc emails open" and the dashboard mark an email as read when they ' +
    'open it; other commands do not.';

  static override examples = [
    { description: 'Mark the newest email as read', command: '<%= config.bin %> emails mark latest' },
    { description: 'Mark all emails as unread', command: '<%= config.bin %> emails mark --all --unread' },
  ];

  static override args = selectedEmailsArg;

  static override flags = {
    ...selectedEmailsFlags,
    unread: Flags.boolean({ description: 'Mark them as unread.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsMark);
    await checkSelection(args.id, flags);
    await this.withClient(flags, async (client) => {
      const selection = await selectedEmails(client, args.id, flags);
      const read = !flags.unread;
      const result = await client.control('emails.mark', { body: { ...selection, read } });
      this.print(result, () => `${plural(result.updated, 'email')} marked as ${read ? 'read' : 'unread'}\n`);
    });
  }
}
