import { ControlCommand } from '../../src/cli/command/control-command.js';
import {
  checkSelection,
  describeSelected,
  selectedEmails,
  selectedEmailsArg,
  selectedEmailsFlags,
} from '../../src/cli/emails/selected-emails.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { confirm, refuseSkipped, targetName } from '../../src/cli/terminal/confirm.js';
import { NoControlError } from '../../src/client/failures.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class EmailsDelete extends ControlCommand {
  static override summary = 'Delete emails';

  static override description =
    'Deletes emails with their contents, events and webhook deliveries, and ends what is still pending for them; ' +
    'deliveries that are still retried stay until they have ended, and analytics remain. If an ID does not exist, ' +
    'nothing is deleted. Asks for confirmation on a terminal; elsewhere, pass --yes.';

  static override examples = [
    { description: 'Delete the newest email', command: '<%= config.bin %> emails delete latest --yes' },
    {
      description: 'Delete the emails to one address',
      command: '<%= config.bin %> emails delete --search to:ada@example.test --yes',
    },
    {
      description: 'Delete all emails, and keep everything else',
      command: '<%= config.bin %> emails delete --all --yes',
    },
  ];

  static override args = selectedEmailsArg;

  static override flags = {
    ...selectedEmailsFlags,
    yes: { ...yesFlag.yes, description: 'Skip the confirmation before deleting.' },
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsDelete);
    await checkSelection(args.id, flags);
    await this.withClient(flags, async (client, target) => {
      refuseSkipped(target);
      const selection = await selectedEmails(client, args.id, flags);
      const which = flags.yes ? '' : await describeSelected(client, selection);
      await confirm(`Delete ${which} ${targetName(target)}`, flags);
      const result = await client.control('emails.delete_selected', { body: selection });
      this.print(result, () => `${plural(result.deleted, 'email')} deleted\n`);
    }).catch((error: unknown) => {
      throw error instanceof NoControlError ? error.withAdvice(INSTEAD) : error;
    });
  }
}

const INSTEAD = 'The service cannot delete emails; "svc emails cancel" cancels scheduled ones.';
