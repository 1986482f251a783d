import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { idToRead, LATEST } from '../../src/cli/command/resource-id.js';

export default class EmailsOpen extends ClientCommand {
  static override summary = 'Open an email in the browser';

  static override description =
    'Writes a page to the directory for temporary files, prints its path and opens it: with the command in BROWSER (%s ' +
    'in it is replaced by the address), or with xdg-open, open or start. The page shows the stored HTML with its inline ' +
    'images. It runs no scripts and loads nothing from the network until you click a link. Clicks in it are not recorded; ' +
    'to record them, use the links of "svc emails get --delivered". Servers without a control API do not provide inline images.';

  static override examples = [{ description: 'Open the newest email', command: '<%= config.bin %> emails open' }];

  static override args = {
    id: Args.string({
      description: 'Email ID (msg_…), its last 6 or more characters, or latest.',
      default: LATEST,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsOpen);
    await this.withClient(flags, async (client) => {
      const { openEmail } = await import('../../src/cli/emails/page/open-email.js');
      const opened = await openEmail(client, await idToRead(client, 'email', args.id, flags), process.env);
      this.print(opened, () => `${opened.file}\n`);
      if (!opened.opened) this.info('No browser found. Open this file in a browser, or set BROWSER to a command.');
    });
  }
}
