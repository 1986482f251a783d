import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { CommandError } from '../../src/cli/exit-codes.js';
import { oneLine, safeText } from '../../src/cli/text.js';
import type { Client } from '../../src/client/client.js';
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
      const id = args.id === 'latest' ? await latestId(client) : args.id;
      const email = await client.call('emails.get', { params: { id } });
      this.print(email, () => describe(email));
    });
  }
}

async function latestId(client: Client): Promise<string> {
  const { emails } = await client.call('emails.list', { query: { limit: 1 } });
  const [latest] = emails;
  if (latest) return latest.id;
  throw new CommandError('There is no email yet.', 'Send one with: svc emails send --to delivered@simulator.test');
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
