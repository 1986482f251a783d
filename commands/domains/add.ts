import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { dmarcAdvice, dnsRecordTable } from '../../src/cli/output/formatters/domain.js';

export default class DomainsAdd extends ClientCommand {
  static override summary = 'Add a sending domain';

  static override description = 'Prints the DNS records to publish. A remote service does not show them again.';

  static override examples = ['<%= config.bin %> domains add mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsAdd);
    await this.withClient(flags, async (client) => {
      const added = await client.call('domains.create', { body: { domain: args.domain } });
      this.print(added, () => [
        `${[added.domain, added.status].filter(Boolean).join('  ')}\n\n`,
        dnsRecordTable(added.dns_records),
      ]);
      this.info(dmarcAdvice(added));
      this.info(`Publish these records, then run: ${nextCommand(`domains verify ${added.domain}`, flags)}`);
    });
  }
}
