import { Flags } from '@oclif/core';
import { readAttachment } from '../../src/cli/attachment-file.js';
import { ClientCommand } from '../../src/cli/client-command.js';
import { UsageError } from '../../src/cli/exit-codes.js';
import { readText } from '../../src/cli/input.js';
import { oneLine } from '../../src/cli/text.js';
import { given } from '../../src/contract/given.js';
import { escapeHtml } from '../../src/contract/render.js';

/** What a mail says when only a recipient is given, to a local server. A remote one gets nothing that was not asked for. */
const SAMPLE = {
  from: 'svc <hello@svc.test>',
  subject: 'Hello from svc',
  html: '<p>Hello! This mail was sent by <code>svc emails send</code>.</p>',
  text: 'Hello! This mail was sent by svc emails send.',
};

export default class EmailsSend extends ClientCommand {
  static override summary = 'Send an email';

  static override description =
    `To a local server, whatever is not given is filled in with a sample, so that --to is enough.`;

  static override examples = [
    { description: 'The shortest one', command: '<%= config.bin %> emails send --to delivered@simulator.test' },
    {
      description: 'With text of your own and a file',
      command:
        '<%= config.bin %> emails send --to ada@example.test --from "Shop <shop@example.test>" --subject "Your order" --html "<p>Thanks</p>" --attach package.json',
    },
    {
      description: 'At a set time',
      command: '<%= config.bin %> emails send --to ada@example.test --scheduled-at 2027-01-01T09:00:00Z',
    },
  ];

  static override flags = {
    to: Flags.string({ description: 'Recipient; repeatable.', multiple: true, required: true, helpValue: 'ADDRESS' }),
    cc: Flags.string({ description: 'Carbon copy; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
    bcc: Flags.string({ description: 'Blind carbon copy; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
    from: Flags.string({ description: 'Sender.', helpValue: 'ADDRESS' }),
    'reply-to': Flags.string({ description: 'Where replies go.', helpValue: 'ADDRESS' }),
    subject: Flags.string({ description: 'Subject.' }),
    html: Flags.string({ description: 'HTML body.', exclusive: ['html-file'] }),
    'html-file': Flags.string({ description: 'File that holds the HTML body; - for stdin.', helpValue: 'FILE' }),
    text: Flags.string({ description: 'Plain-text body.', exclusive: ['text-file'] }),
    'text-file': Flags.string({ description: 'File that holds the plain-text body; - for stdin.', helpValue: 'FILE' }),
    attach: Flags.string({ description: 'File to attach; repeatable.', multiple: true, helpValue: 'FILE' }),
    tag: Flags.string({ description: 'Tag; repeatable.', multiple: true }),
    retry: Flags.boolean({
      description: 'Try again when the server is too busy or out of reach; the email may then go out twice.',
    }),
    'scheduled-at': Flags.string({ description: 'When to send, in ISO 8601 with an offset or Z.', helpValue: 'TIME' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsSend);
    const html = flags['html-file'] === undefined ? flags.html : await readText('--html-file', flags['html-file']);
    const text = flags['text-file'] === undefined ? flags.text : await readText('--text-file', flags['text-file']);
    const attachments = flags.attach && (await Promise.all(flags.attach.map(readAttachment)));
    const asked = given({
      to: flags.to,
      cc: flags.cc,
      bcc: flags.bcc,
      from: flags.from,
      reply_to: flags['reply-to'],
      subject: flags.subject,
      html,
      text,
      attachments,
      tags: flags.tag,
      scheduled_at: flags['scheduled-at'],
    });
    await this.withClient(flags, async (client, { kind }) => {
      const body = kind === 'remote' ? asked : { ...sampleFor(asked), ...asked };
      const { to, from, subject } = body;
      if (to === undefined || from === undefined || subject === undefined) {
        const missing = ['from', 'subject'].filter((name) => !(name in body)).map((name) => `--${name}`);
        throw new UsageError(`A remote server needs ${missing.join(' and ')}.`, 'Run "svc emails send --help".');
      }
      const email = await client.call('emails.send', { body: { ...body, to, from, subject } });
      this.print(email, () => `${email.id}  ${email.status}  ${oneLine(email.to)}\n`);
      this.say(`See it with: svc emails get ${email.id}`);
    });
  }
}

function sampleFor({ html, text }: { html?: string; text?: string }) {
  const { from, subject } = SAMPLE;
  if (html !== undefined) return { from, subject };
  // The API wants HTML; a mail of text alone gets the same text as such.
  return text === undefined ? SAMPLE : { from, subject, html: `<pre>${escapeHtml(text)}</pre>` };
}
