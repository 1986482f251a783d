import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { emailIdOf } from '../../src/cli/latest-email.js';
import { oneLine, safeText } from '../../src/cli/text.js';
import type { EmailDetail } from '../../src/contract/email.js';

export default class EmailsGet extends ClientCommand {
  static override summary = 'Show one email';

  static override examples = [
    { description: 'The newest', command: '<%= config.bin %> emails get latest' },
    { description: 'As JSON', command: '<%= config.bin %> emails get latest --json' },
  ];

  static override args = {
    id: Args.string({ description: 'A msg_ id, or latest.', required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsGet);
    await this.withClient(flags, async (client) => {
      const id = await emailIdOf(args.id, client);
      const email = await client.call('emails.get', { params: { id } });
      this.print(email, () => describe(email));
    });
  }
}

function describe(email: EmailDetail): string {
  const fields: [string, string | null][] = [
    ['id', email.id],
    ['status', email.status],
    ['from', email.from],
    ['to', email.to],
    ['subject', email.subject],
    ['created', email.created_at],
    ['sent', email.sent_at],
    ['delivered', email.delivered_at],
    ['opened', email.opened_at],
    ['opens', email.opens_count > 0 ? String(email.opens_count) : null],
    ['clicks', email.clicks_count > 0 ? String(email.clicks_count) : null],
    ['bounced', email.bounce_reason],
    ['template', email.template_id],
    ['tags', email.tags.join(', ') || null],
  ];
  const lines = fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(10)}${oneLine(value ?? '')}\n`);
  return `${lines.join('')}\n${safeText(email.text || email.html)}\n`;
}
