import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';

export default class EmailsOpen extends ClientCommand {
  static override summary = 'Open an email in the browser';

  static override description =
    'Marks the email as read, writes a page to the directory for temporary files, prints its path and opens it: with the command in BROWSER (%s ' +
    'in it is replaced by the address), or with xdg-open, open or start. The page shows the stored HTML with its inline ' +
    'images. It runs no scripts and loads nothing from the network until you click a link. Clicks in it are not recorded; ' +
    'to record them, use the links of "svc emails get --delivered". Servers without a control API do not provide inline images.';

  static override examples = [
    { description: 'Open the newest email', command: '<%= config.bin %> emails open' },
    {
      description: 'Open the newest email that matches a query',
      command: '<%= config.bin %> emails open --search subject:order',
    },
  ];

  static override args = {
    id: Args.string({
      description: 'Email ID (msg_…), its last 6 or more characters, or latest.',
      default: LATEST,
    }),
  };

  static override flags = newestMatchFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsOpen);
    await checkEmailChoice(args.id, flags);
    await this.withClient(flags, async (client, target) => {
      const { openEmail } = await import('../../src/cli/emails/page/open-email.js');
      const id = await emailToRead(client, target, args.id, flags);
      const command = (line: string) => nextCommand(line, flags);
      const opened = await openEmail(client, id, { command, env: process.env });
      this.print(opened, () => `${opened.file}\n`);
      if (!opened.opened) this.info('No browser found. Open this file in a browser, or set BROWSER to a command.');
    });
  }
}
