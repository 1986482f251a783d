import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { printFlag } from '../../src/cli/flags/shared.js';
import type { Client } from '../../src/client/client.js';
import { NoControlError } from '../../src/client/failures.js';

export default class EmailsOpen extends ClientCommand {
  static override summary = 'Open an email in the browser';

  static override description =
    'Marks the email as read, prints an address and opens it: with the command in BROWSER (%s in it is replaced ' +
    'by the address), or with xdg-open, open or start. While a local server is running, it is the address of the ' +
    'web inbox, otherwise the path of a page with the stored HTML and its inline images. Both run no scripts of ' +
    'the email, load nothing from the network unless you ask for it, and record neither opens nor clicks.';

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

  static override flags = { ...newestMatchFlag, ...printFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsOpen);
    await checkEmailChoice(args.id, flags);
    await this.withClient(flags, async (client, target) => {
      const id = await emailToRead(client, target, args.id, flags);
      if (target.kind === 'local' && (await hasControl(client))) return this.#openInInbox(client, id, flags.print);
      const { openEmail } = await import('../../src/cli/emails/page/open-email.js');
      const command = (line: string) => nextCommand(line, flags);
      const { print } = flags;
      const opened = await openEmail(client, id, { command, env: process.env, print });
      this.print(opened, () => `${opened.file}\n`);
      if (!print && !opened.opened)
        this.info('No browser found. Open this file in a browser, or set BROWSER to a command.');
    });
  }

  async #openInInbox(client: Client, id: string, print: boolean): Promise<void> {
    const { emailPath, inboxLink, NO_BROWSER, showInbox } = await import('../../src/cli/inbox/inbox-link.js');
    const { markAsRead } = await import('../../src/cli/emails/page/open-email.js');
    const link = await inboxLink(client, emailPath(id));
    await markAsRead(client, id);
    const shown = await showInbox(link, { print, env: process.env });
    this.print({ id, ...shown }, () => `${shown.url}\n`);
    if (!print && !shown.opened) this.info(NO_BROWSER);
  }
}

/** Returns whether a server has a control API, and so an inbox. */
async function hasControl(client: Client): Promise<boolean> {
  try {
    await client.requireControl();
    return true;
  } catch (error) {
    if (error instanceof NoControlError) return false;
    throw error;
  }
}
