import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import { NotFoundError } from '../../src/cli/errors/exit-codes.js';
import type { TargetFlags } from '../../src/cli/flags/target.js';
import { describeDomain } from '../../src/cli/output/formatters/domain.js';
import type { Client } from '../../src/client/client.js';

export default class DomainsGet extends ClientCommand {
  static override summary = 'Show a sending domain';

  static override examples = ['<%= config.bin %> domains get mail.example.com'];

  static override args = { domain: Args.string({ description: 'Domain name, or latest.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsGet);
    await this.withClient(flags, async (client) => {
      const name = args.domain === LATEST ? await latestDomain(client, flags) : args.domain;
      const domain = await client.call('domains.get', { params: { domain: name } });
      this.print(domain, () => describeDomain(domain));
    });
  }
}

async function latestDomain(client: Client, flags: TargetFlags): Promise<string> {
  const { domains } = await client.call('domains.list', {});
  const [newest] = domains;
  if (newest) return newest.domain;
  throw new NotFoundError('No domains yet.', `Add one with: ${nextCommand('domains add mail.example.com', flags)}`);
}
