import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { table } from '../../src/cli/text.js';
import type { EmailSummary } from '../../src/contract/email.js';

export default class EmailsList extends ClientCommand {
  static override summary = 'List emails, newest first';

  static override examples = [
    { description: 'The newest 20', command: '<%= config.bin %> emails list' },
    { description: 'What one address got', command: '<%= config.bin %> emails list --to ada@example.test' },
    { description: 'As JSON, for a script', command: '<%= config.bin %> emails list --status delivered --json' },
  ];

  static override flags = {
    limit: Flags.integer({ description: 'How many, 1 to 100.', min: 1, max: 100, default: 20 }),
    offset: Flags.integer({ description: 'How many to pass over.', min: 0, default: 0 }),
    status: Flags.string({ description: 'Emails in this state.' }),
    to: Flags.string({ description: 'Emails to this address.', helpValue: 'ADDRESS' }),
    from: Flags.string({ description: 'Emails from this address.', helpValue: 'ADDRESS' }),
    tag: Flags.string({ description: 'Emails that carry this tag; repeatable, all must be there.', multiple: true }),
    since: Flags.string({ description: 'Emails of this date or later, in ISO 8601.', helpValue: 'DATE' }),
    until: Flags.string({ description: 'Emails of this date or earlier, in ISO 8601.', helpValue: 'DATE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsList);
    await this.withClient(flags, async (client) => {
      const page = await client.call('emails.list', {
        query: {
          limit: flags.limit,
          offset: flags.offset,
          status: flags.status as EmailSummary['status'] | undefined,
          to: flags.to,
          from: flags.from,
          tags: flags.tag?.join(','),
          from_date: flags.since,
          to_date: flags.until,
        },
      });
      this.print(page, () => {
        const rows = page.emails.map(({ id, status, created_at, to, subject }) => [
          id,
          status,
          created_at,
          to,
          subject,
        ]);
        return rows.length > 0 ? table(['ID', 'STATUS', 'CREATED', 'TO', 'SUBJECT'], rows) : '';
      });
      const { total, offset, has_more } = page.pagination;
      if (total === 0) this.say('No emails. Send one with: svc emails send --to delivered@simulator.test');
      if (has_more)
        this.say(`${offset + page.emails.length} of ${total}; more with --offset ${offset + page.emails.length}`);
    });
  }
}
