import { Args, Flags } from '@oclif/core';
import type { Printable } from '../../src/cli/color.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { CommandError, UsageError } from '../../src/cli/exit-codes.js';
import { nextCommand } from '../../src/cli/next-command.js';
import { type Column, stdoutView, table } from '../../src/cli/table.js';
import type { Client } from '../../src/client/client.js';
import type { Control } from '../../src/contract/control.js';
import type { PublishedRecord } from '../../src/contract/dns-control.js';
import type { Result } from '../../src/contract/endpoint.js';

const COLUMNS: Column[] = [
  { title: 'NAME', rank: 1 },
  { title: 'PURPOSE', rank: 2 },
  { title: 'PUBLISHED', rank: 3, kind: 'status' },
  { title: 'VALUE', rank: 4 },
];

export default class DomainsDns extends ControlCommand {
  static override summary =
    'List the DNS records of sending domains, and choose which the local server finds published';

  static override description =
    `The local server's DNS is simulated: every record counts as published until it is taken out here. With
svc dev --dns real it looks records up in a real DNS, and they are changed there.`;

  static override examples = [
    { description: 'The records of every domain', command: '<%= config.bin %> domains dns' },
    {
      description: 'Let the verification of a domain fail for want of its DKIM record',
      command: '<%= config.bin %> domains dns mail.example.com --unpublish dkim',
    },
    {
      description: 'Publish it again, by its name',
      command: '<%= config.bin %> domains dns --publish svc._domainkey.mail.example.com',
    },
  ];

  static override args = { domain: Args.string({ description: 'Records of this domain alone.' }) };

  static override flags = {
    unpublish: Flags.string({
      description: 'Take a record out: its name, or verification, spf, dkim or dmarc of DOMAIN; repeatable.',
      helpValue: 'RECORD',
      multiple: true,
    }),
    publish: Flags.string({ description: 'Publish a record again; repeatable.', helpValue: 'RECORD', multiple: true }),
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
        this.say(`No domains. Add one with: ${nextCommand('domains add mail.example.com', flags)}`);
    });
  }
}

/** What the server lists, of that domain alone when one is named. */
async function recordsOf(client: Client, domain: string | undefined): Promise<Result<Control['dns.list']>> {
  const { dns, records } = await client.control('dns.list', {});
  const found = records.filter((record) => domain === undefined || record.domain === domain.toLowerCase());
  if (domain !== undefined && found.length === 0) {
    throw new CommandError(`There is no domain ${domain}.`, 'svc domains list shows those there are.');
  }
  return { dns, records: found };
}

function nameOf(record: string, records: PublishedRecord[], domain: string | undefined): string {
  const ofPurpose = records.filter(({ purpose }) => purpose === record);
  if (ofPurpose.length === 0) return record;
  if (domain === undefined)
    throw new UsageError(`Name the domain whose ${record} record is meant.`, 'svc domains dns DOMAIN …');
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
