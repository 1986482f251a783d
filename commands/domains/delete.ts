import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class DomainsDelete extends ClientCommand {
  static override summary = 'Delete a sending domain';

  static override examples = ['<%= config.bin %> domains delete mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsDelete);
    const { domain } = args;
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Delete ${domain}`, flags);
      const deleted = await deleteIfExists(flags, () => client.call('domains.delete', { params: { domain } }), {
        client,
        warn: (text) => this.printWarning(text),
      });
      this.print({ domain, deleted }, () => `${domain}  ${deleted ? 'deleted' : 'not found'}\n`);
    });
  }
}
