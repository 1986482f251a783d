import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { describeDomain } from '../../src/cli/output/formatters/domain.js';

export default class DomainsGet extends ClientCommand {
  static override summary = 'Show a sending domain';

  static override examples = ['<%= config.bin %> domains get mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsGet);
    await this.withClient(flags, async (client) => {
      const domain = await client.call('domains.get', { params: { domain: args.domain } });
      this.print(domain, () => describeDomain(domain));
    });
  }
}
