import { confirmOnRemote } from '../../src/cli/confirm.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { yesFlag } from '../../src/cli/shared-flags.js';

export default class DevReset extends ControlCommand {
  static override summary = 'Empty the local server';

  static override description =
    'Removes emails, events, scheduled work, templates, domains, webhooks, suppressions, rules and the request log. ' +
    'API keys, the webhook secret and the clock stay as they are.';

  static override examples = ['<%= config.bin %> dev reset'];

  static override flags = yesFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(DevReset);
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, 'Delete everything', flags);
      await client.control('reset', {});
      this.print({ reset: true }, () => '');
      this.say('The server is empty.');
    });
  }
}
