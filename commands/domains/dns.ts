import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { describeRecords, recordName, recordsOf } from '../../src/cli/domains/dns-records.js';

export default class DomainsDns extends ControlCommand {
  static override summary = 'List or change simulated DNS records of domains';

  static override description =
    'The local server simulates DNS: every record counts as published until you unpublish it here. With ' +
    '"svc dev --strict", records are missing until you publish them here. With "svc dev --dns real" the server looks ' +
    'records up in real DNS, and this command cannot change them.';

  static override examples = [
    { description: 'List the records of all domains', command: '<%= config.bin %> domains dns' },
    {
      description: 'Make verification fail because the DKIM record is missing',
      command: '<%= config.bin %> domains dns mail.example.com --unpublish dkim',
    },
    {
      description: 'Publish the record again, by name',
      command: '<%= config.bin %> domains dns --publish svc._domainkey.mail.example.com',
    },
  ];

  static override args = { domain: Args.string({ description: 'Domain whose records to list (default: all).' }) };

  static override flags = {
    unpublish: Flags.string({
      description: 'Record to unpublish: its name, or verification, spf, dkim or dmarc with DOMAIN; repeatable.',
      helpValue: 'RECORD',
      multiple: true,
    }),
    publish: Flags.string({ description: 'Record to publish again; repeatable.', helpValue: 'RECORD', multiple: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainsDns);
    await this.withClient(flags, async (client) => {
      const { dns, records: before } = await recordsOf(client, args.domain);
      const changes = [
        ...(flags.unpublish ?? []).map((record) => ({
          name: recordName(record, before, args.domain),
          published: false,
        })),
        ...(flags.publish ?? []).map((record) => ({ name: recordName(record, before, args.domain), published: true })),
      ];
      for (const { name, published } of changes) {
        await client.control('dns.update', { params: { name }, body: { published } });
      }
      const records = changes.length > 0 ? (await recordsOf(client, args.domain)).records : before;
      this.print({ dns, records }, () => (records.length > 0 ? describeRecords(records) : ''));
      if (records.length === 0)
        this.info(`No domains. Add one with: ${nextCommand('domains add mail.example.com', flags)}`);
    });
  }
}
