import { confirmEmptying } from '../../src/cli/confirm.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { yesFlag } from '../../src/cli/shared-flags.js';

export default class DevReset extends ControlCommand {
  static override summary = 'Empty the local server';

  static override description =
    'Removes emails, events, scheduled work, templates, domains, webhooks, suppressions, rules and the request log. ' +
    'API keys, the webhook secret and the clock stay as they are. On a terminal it asks first.';

  static override examples = [
    '<%= config.bin %> dev reset',
    { description: 'On a terminal, without being asked', command: '<%= config.bin %> dev reset --yes' },
  ];

  static override flags = { yes: { ...yesFlag.yes, description: 'Do not ask before everything is deleted.' } };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevReset);
    await this.withClient(flags, async (client, target) => {
      await confirmEmptying(target, flags);
      await client.control('reset', {});
      this.print({ reset: true }, () => '');
      this.say('The server is empty.');
    });
  }
}
