import { ControlCommand } from '../../src/cli/command/control-command.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { confirmEmptying } from '../../src/cli/terminal/confirm.js';

export default class DevReset extends ControlCommand {
  static override summary = 'Delete the local server’s data';

  static override description =
    'Deletes emails, events, scheduled work, templates, domains, webhooks, suppressions, rules and the request ' +
    'log, after a confirmation on a terminal. Keeps API keys, the webhook secret, the clock and the audit log. With ' +
    'the API key of a workspace, deletes only its emails and webhooks.';

  static override examples = [
    '<%= config.bin %> dev reset',
    { description: 'Skip the confirmation on a terminal', command: '<%= config.bin %> dev reset --yes' },
  ];

  static override flags = { yes: { ...yesFlag.yes, description: 'Skip the confirmation before deleting all data.' } };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevReset);
    await this.withClient(flags, async (client, target) => {
      const { workspace, data_dir } = await client.control('info', {});
      const what = workspace ? `the emails and webhooks of workspace ${workspace}` : 'all data';
      await confirmEmptying(target, flags, what);
      await client.control('reset', {});
      this.print({ reset: true }, () => '');
      this.info(`Deleted ${what}${data_dir === null ? '' : ` in ${data_dir}`}.`);
    });
  }
}
