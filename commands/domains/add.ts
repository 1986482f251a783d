import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { dmarcAdvice, dnsRecordTable } from '../../src/cli/domain-output.js';
import { nextCommand } from '../../src/cli/next-command.js';

export default class DomainsAdd extends ClientCommand {
  static override summary = 'Add a sending domain';

  static override description = 'Prints the DNS records to publish. They are not shown again.';

  static override examples = ['<%= config.bin %> domains add mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsAdd);
    await this.withClient(flags, async (client) => {
      const added = await client.call('domains.create', { body: { domain: args.domain } });
      this.print(added, () => `${added.domain}  ${added.status}\n\n${dnsRecordTable(added.dns_records)}`);
      this.say(dmarcAdvice(added));
      this.say(`Publish these records, then run: ${nextCommand(`domains verify ${added.domain}`, flags)}`);
    });
  }
}
