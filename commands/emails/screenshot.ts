import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import {
  clientFlags,
  contentForClients,
  contentOfEmail,
  cutNote,
  pictureFlags,
  viewSummary,
  withPictures,
} from '../../src/cli/emails/pictures.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { checkOutputFile, writingFile } from '../../src/cli/process/files.js';

export default class EmailsScreenshot extends ClientCommand {
  static override summary = 'Write a picture of an email';

  static override description =
    'Writes a PNG file of the whole email, as the installed Chrome, Chromium or Edge shows it without scripts and ' +
    'network. Mail clients show it differently: --client applies the documented rules of one, approximately. Needs the ' +
    'package playwright-core; SVC_BROWSER is the path of another browser.';

  static override examples = [
    { description: 'Save a picture of the newest email', command: '<%= config.bin %> emails screenshot' },
    {
      description: 'Show an order in dark mode on a phone',
      command: '<%= config.bin %> emails screenshot --search subject:order --dark --width 375 --output order.png',
    },
    {
      description: 'Show the newest email as Outlook does in dark mode',
      command: '<%= config.bin %> emails screenshot latest --client outlook --dark --output outlook.png',
    },
  ];

  static override args = {
    id: Args.string({
      description: 'Email ID (msg_…), its last 6 or more characters, or latest.',
      default: LATEST,
    }),
  };

  static override flags = {
    ...newestMatchFlag,
    ...pictureFlags,
    ...clientFlags,
    output: Flags.string({ description: 'PNG file to write (default: ID.png).', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsScreenshot);
    const { dark, width, output } = flags;
    await checkEmailChoice(args.id, flags);
    if (output !== undefined) checkOutputFile(output, '--output');
    await this.withClient(flags, async (client, target) => {
      const id = await emailToRead(client, target, args.id, flags);
      const [content] = await contentForClients([await contentOfEmail(client, id)], flags);
      const picture = await withPictures(flags['no-sandbox'], (pictures) =>
        pictures.take(content as NonNullable<typeof content>, { dark, width }),
      );
      const file = resolve(output ?? `${id}.png`);
      writingFile(file, '--output', () => writeFileSync(file, picture.png));
      const { width: shownWidth, height, cut } = picture;
      this.print({ id, file, width: shownWidth, height, cut, ...viewSummary(content?.view) }, () => `${file}\n`);
      const note = cutNote(id, picture);
      if (note !== undefined) this.status(note);
    });
  }
}
