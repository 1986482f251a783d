import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import {
  checkSelection,
  selectedEmails,
  selectedEmailsArg,
  selectedEmailsFlags,
} from '../../src/cli/emails/selected-emails.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class EmailsMark extends ControlCommand {
  static override summary = 'Mark emails as read or unread, or tag them';

  static override description =
    'Queries find them with is:read, is:unread and tag:. "svc emails open" and the dashboard mark an email as read when ' +
    'they open it; other commands do not. --tag and --untag change only tags that were added by hand.';

  static override examples = [
    { description: 'Mark the newest email as read', command: '<%= config.bin %> emails mark latest' },
    { description: 'Mark all emails as unread', command: '<%= config.bin %> emails mark --all --unread' },
    {
      description: 'Add a tag to the emails that match a query',
      command: '<%= config.bin %> emails mark --search subject:invoice --tag billing',
    },
  ];

  static override args = selectedEmailsArg;

  static override flags = {
    ...selectedEmailsFlags,
    unread: Flags.boolean({ description: 'Mark them as unread.' }),
    tag: fills('add_tags', Flags.string({ description: 'Tag to add; repeatable.', multiple: true })),
    untag: fills('remove_tags', Flags.string({ description: 'Added tag to remove; repeatable.', multiple: true })),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsMark);
    await checkSelection(args.id, flags);
    await this.withClient(flags, async (client) => {
      const selection = await selectedEmails(client, args.id, flags);
      const tags = await requestFields(EmailsMark.flags, flags);
      const body = { ...selection, ...tags, ...(flags.unread && { read: false }) };
      const result = await client.control('emails.mark', { body });
      this.print(result, () => `${plural(result.updated, 'email')} ${done(flags)}\n`);
    });
  }
}

/** Returns what was done to the emails, in words. */
function done({ tag = [], untag = [], unread }: Record<'tag' | 'untag', string[] | undefined> & { unread: boolean }) {
  const tagged = [tag.length > 0 && `tagged ${tag.join(', ')}`, untag.length > 0 && `untagged ${untag.join(', ')}`];
  const changes = tagged.filter(Boolean);
  if (unread || changes.length === 0) changes.unshift(`marked as ${unread ? 'unread' : 'read'}`);
  return changes.join(', ');
}
