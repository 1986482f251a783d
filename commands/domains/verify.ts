import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { unpublishedPurposes } from '../../src/cli/domains/dns-records.js';
import { describeDomain } from '../../src/cli/output/formatters/domain.js';

export default class DomainsVerify extends ClientCommand {
  static override summary = 'Verify a domain’s DNS records';

  static override examples = ['<%= config.bin %> domains verify mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsVerify);
    await this.withClient(flags, async (client, { kind }) => {
      const domain = await client.call('domains.verify', { params: { domain: args.domain } });
      this.print(domain, () => describeDomain(domain));
      if (domain.status !== 'pending' || kind === 'remote') return;
      const missing = await unpublishedPurposes(client, domain.domain);
      if (missing.length === 0) return;
      const publish = missing.map((purpose) => ` --publish ${purpose}`).join('');
      this.info(
        `The simulated DNS does not have all records. To publish them, run: ${nextCommand(`domains dns ${domain.domain}${publish}`, flags)}`,
      );
    });
  }
}
