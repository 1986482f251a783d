import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { describeDomain } from '../../src/cli/output/formatters/domain.js';

export default class DomainsVerify extends ClientCommand {
  static override summary = 'Verify a domain’s DNS records';

  static override examples = ['<%= config.bin %> domains verify mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsVerify);
    await this.withClient(flags, async (client) => {
      const domain = await client.call('domains.verify', { params: { domain: args.domain } });
      this.print(domain, () => describeDomain(domain));
    });
  }
}
