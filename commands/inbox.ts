import { Args } from '@oclif/core';
import { ControlCommand } from '../src/cli/command/control-command.js';
import { idToRead } from '../src/cli/command/resource-id.js';
import { printFlag } from '../src/cli/flags/shared.js';

export default class Inbox extends ControlCommand {
  static override summary = 'Open the web inbox in the browser';

  static override description =
    'Opens it with the command in BROWSER (%s in it is replaced by the address), or with xdg-open, open or start. On ' +
    'Linux, a browser of the user who runs the server needs no login. Elsewhere, and with --host, the address that ' +
    'opens has a one-time code, which is valid for five minutes.';

  static override examples = [
    '<%= config.bin %> inbox',
    { description: 'Open the newest email', command: '<%= config.bin %> inbox latest' },
    { description: 'Print the address', command: '<%= config.bin %> inbox --print' },
  ];

  static override args = {
    id: Args.string({ description: 'Email to open: its ID (msg_…), its last 6 or more characters, or latest.' }),
  };

  static override flags = printFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Inbox);
    await this.withClient(
      flags,
      async (client) => {
        const { emailPath, inboxLink, NO_BROWSER, showInbox } = await import('../src/cli/inbox/inbox-link.js');
        const id = args.id === undefined ? undefined : await idToRead(client, 'email', args.id, flags);
        // A misspelled ID is an error here, with a suggestion, and not an empty page.
        if (id !== undefined) await client.call('emails.get', { params: { id } });
        const link = await inboxLink(client, id === undefined ? '' : emailPath(id));
        const shown = await showInbox(link, { print: flags.print, env: process.env });
        this.print(shown, () => `${shown.url}\n`);
        if (!flags.print && !shown.opened) this.info(NO_BROWSER);
      },
      { running: true },
    );
  }
}
