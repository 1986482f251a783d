import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { requireControl } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { CONTROL_VIEWS, readControlView, writeMessage } from '../../src/cli/emails/message-views.js';
import { readControlBytes } from '../../src/cli/emails/page/save-email.js';
import { inspectIfPossible, missingContentNote } from '../../src/cli/emails/parse-state.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { assertDirectoryPath } from '../../src/cli/errors/fs-errors.js';
import { declaredAsUtf8 } from '../../src/cli/output/fields.js';
import { describeEmail } from '../../src/cli/output/formatters/email.js';
import { suppressionLines } from '../../src/cli/output/formatters/suppression.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { oneLine } from '../../src/cli/output/text.js';
import type { Client } from '../../src/client/client.js';
import { NoControlError } from '../../src/client/failures.js';
import type { EmailDetail } from '../../src/contract/service/emails.js';

const VIEWS = ['html', 'text', ...CONTROL_VIEWS];
const allBut = (view: string) => VIEWS.filter((each) => each !== view);

export default class EmailsGet extends ClientCommand {
  static override summary = 'Show an email';

  static override description =
    '--html prints the HTML as stored, and --delivered the HTML that the first recipient receives, with tracked ' +
    'links and the pixel. --raw, --delivered, --headers, --attachments and --save work with local servers only ' +
    '(otherwise exit code 2), because the service does not provide this data. With --json, a part is an object ' +
    'with one field of its name, for --save "files"; --raw prints bytes and cannot be combined with --json.';

  static override examples = [
    { description: 'Show the newest email', command: '<%= config.bin %> emails get latest' },
    { description: 'Print it as JSON', command: '<%= config.bin %> emails get latest --json' },
    { description: 'Save its HTML to a file', command: '<%= config.bin %> emails get latest --html > mail.html' },
    {
      description: 'Save the message as sent over SMTP',
      command: '<%= config.bin %> emails get latest --raw > mail.eml',
    },
    { description: 'Print its headers', command: '<%= config.bin %> emails get latest --headers' },
    { description: 'List its attachments', command: '<%= config.bin %> emails get latest --attachments' },
    {
      description: 'Save the message and its attachments to a directory',
      command: '<%= config.bin %> emails get latest --save saved/',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Email ID (msg_…), its last 6 or more characters, or latest.' }),
  };

  static override flags = {
    ...newestMatchFlag,
    html: Flags.boolean({ description: 'Print only the HTML body, as stored.', exclusive: allBut('html') }),
    text: Flags.boolean({ description: 'Print only the plain-text body.', exclusive: allBut('text') }),
    delivered: Flags.boolean({
      description: 'Print only the HTML as delivered, with tracked links and the pixel.',
      exclusive: allBut('delivered'),
    }),
    raw: Flags.boolean({
      description: 'Print the raw message, byte for byte.',
      exclusive: [...allBut('raw'), 'json'],
    }),
    headers: Flags.boolean({ description: 'Print the message headers.', exclusive: allBut('headers') }),
    attachments: Flags.boolean({ description: 'List the attachments.', exclusive: allBut('attachments') }),
    save: Flags.string({
      description:
        'Directory to save the message and its attachments to. Its index.html shows the email saved last in a browser.',
      helpValue: 'DIR',
      exclusive: allBut('save'),
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsGet);
    await checkEmailChoice(args.id, flags);
    if (flags.save !== undefined) assertDirectoryPath(flags.save, '--save');
    await this.withClient(flags, async (client, target) => {
      const view = CONTROL_VIEWS.find((each) => flags[each] !== undefined && flags[each] !== false);
      if (view !== undefined) await requireControl(target, `--${view}`);
      const id = await emailToRead(client, target, args.id, flags);
      const isLocal = target.kind !== 'remote';
      const email = await readEmail(client, id, isLocal && flags.json);
      const command = (line: string) => nextCommand(line, flags);
      const inspection =
        isLocal && view === undefined && !flags.json ? await inspectIfPossible(client, email.id) : undefined;
      const note =
        inspection && missingContentNote(email, inspection, command(`emails get ${oneLine(email.id)} --raw`));
      if (note !== undefined) this.info(oneLine(note));
      for (const part of ['html', 'text'] as const) {
        if (!flags[part]) continue;
        const named = part === 'html' ? 'HTML' : 'plain text';
        if (!Object.hasOwn(email, part)) this.info(`The service did not return the ${named}.`);
        else if (email[part] === '') this.info(`The email has no ${named}.`);
        const shown = part === 'html' ? declaredAsUtf8(email.html) : email.text;
        return this.printContent({ [part]: email[part] }, shown);
      }
      if (view === 'raw')
        return writeMessage(await readControlBytes(client, 'emails.raw', { params: { id: email.id } }));
      if (view === 'delivered') {
        const html = (await readControlBytes(client, 'emails.delivered_html', { params: { id: email.id } })).toString();
        return this.printContent({ delivered: html }, declaredAsUtf8(html));
      }
      if (view !== undefined) {
        const { data, human, note } = await readControlView(client, email, view, flags.save);
        this.print(data, human);
        if (note !== undefined) this.info(note);
        return;
      }
      const text = email.text || (await textOfHtml(email.html));
      this.print(email, () => describeEmail(email, text));
      const due = inspection?.scheduled_at ?? null;
      if (email.status === 'scheduled' && due !== null) this.info(`It will be sent at ${localTime(due)}.`);
      for (const line of suppressionLines(inspection?.recipients ?? [], command)) this.info(line);
      const inspect = command(`emails inspect ${oneLine(email.id)}`);
      if (isLocal) this.info(`For recipients, attachments and events, run: ${inspect}`);
    });
  }
}

/** Reads an email; from a local server, `captured` with its links and codes. */
async function readEmail(client: Client, id: string, captured: boolean): Promise<EmailDetail> {
  const params = { id };
  if (!captured) return client.call('emails.get', { params });
  return client.control('emails.captured', { params }).catch((error: unknown) => {
    if (error instanceof NoControlError) return client.call('emails.get', { params });
    throw error;
  });
}

/** Loads the converter only for an email without text. */
async function textOfHtml(html: string): Promise<string> {
  if (html === '') return '';
  const { htmlText } = await import('../../src/cli/output/text.js');
  return htmlText(html);
}
