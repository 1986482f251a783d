import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { CommandError, UsageError } from '../../src/cli/errors/exit-codes.js';
import type { Printable } from '../../src/cli/output/color.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import type { Client } from '../../src/client/client.js';
import type { PublishedRecord } from '../../src/contract/control/dns-records.js';
import type { Control } from '../../src/contract/control/endpoints.js';
import type { Result } from '../../src/contract/endpoint.js';

const COLUMNS: Column[] = [
  { title: 'NAME', rank: 1 },
  { title: 'PURPOSE', rank: 2 },
  { title: 'PUBLISHED', rank: 3, kind: 'status' },
  { title: 'VALUE', rank: 4 },
];

export default class DomainsDns extends ControlCommand {
  static override summary = 'List or change simulated DNS records of domains';

  static override description =
    'The local server simulates DNS: every record counts as published until you unpublish it here. With ' +
    '"svc dev --dns real" the server looks records up in real DNS, and this command cannot change them.';

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
        ...(flags.unpublish ?? []).map((record) => ({ name: nameOf(record, before, args.domain), published: false })),
        ...(flags.publish ?? []).map((record) => ({ name: nameOf(record, before, args.domain), published: true })),
      ];
      for (const { name, published } of changes) {
        await client.control('dns.update', { params: { name }, body: { published } });
      }
      const records = changes.length > 0 ? (await recordsOf(client, args.domain)).records : before;
      this.print({ dns, records }, () => (records.length > 0 ? describe(records) : ''));
      if (records.length === 0)
        this.info(`No domains. Add one with: ${nextCommand('domains add mail.example.com', flags)}`);
    });
  }
}

/** What the server lists, of that domain alone when one is named. */
async function recordsOf(client: Client, domain: string | undefined): Promise<Result<Control['dns.list']>> {
  const { dns, records } = await client.control('dns.list', {});
  const found = records.filter((record) => domain === undefined || record.domain === domain.toLowerCase());
  if (domain !== undefined && found.length === 0) {
    throw new CommandError(`Domain ${domain} not found.`, 'Run "svc domains list" to see all domains.');
  }
  return { dns, records: found };
}

function nameOf(record: string, records: PublishedRecord[], domain: string | undefined): string {
  const ofPurpose = records.filter(({ purpose }) => purpose === record);
  if (ofPurpose.length === 0) return record;
  if (domain === undefined) throw new UsageError(`DOMAIN is required with ${record}.`, 'Run "svc domains dns --help".');
  return ofPurpose[0]?.name ?? record;
}

function describe(records: PublishedRecord[]): Printable {
  const rows = records.map(({ name, purpose, published, value }) => [
    name,
    purpose,
    published === null ? 'real DNS' : published ? 'yes' : 'no',
    value,
  ]);
  // Whole, whatever the terminal's width: they are to be copied.
  return table(COLUMNS, rows, { ...stdoutView(), width: null });
}
