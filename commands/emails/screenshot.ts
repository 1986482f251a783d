import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { LATEST } from '../../src/cli/command/resource-id.js';
import { checkEmailChoice, emailToRead, newestMatchFlag } from '../../src/cli/emails/search/email-to-read.js';
import { contentOfEmail, cutNote, pictureFlags, withPictures } from '../../src/cli/pictures/take-pictures.js';
import { checkOutputFile, writingFile } from '../../src/cli/process/output-file.js';

export default class EmailsScreenshot extends ClientCommand {
  static override summary = 'Write a picture of an email';

  static override description =
    'Writes a PNG file of the whole email, as the installed Chrome, Chromium or Edge shows it without scripts and ' +
    'network. Other mail clients show it differently. Needs the package playwright-core; SVC_BROWSER is the path of ' +
    'another browser.';

  static override examples = [
    { description: 'Save a picture of the newest email', command: '<%= config.bin %> emails screenshot' },
    {
      description: 'Show an order in dark mode on a phone',
      command: '<%= config.bin %> emails screenshot --search subject:order --dark --width 375 --output order.png',
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
    output: Flags.string({ description: 'PNG file to write (default: ID.png).', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmailsScreenshot);
    const { dark, width, output } = flags;
    await checkEmailChoice(args.id, flags);
    if (output !== undefined) checkOutputFile(output, '--output');
    await this.withClient(flags, async (client, target) => {
      const id = await emailToRead(client, target, args.id, flags);
      const content = await contentOfEmail(client, id);
      const picture = await withPictures(flags['no-sandbox'], (pictures) => pictures.take(content, { dark, width }));
      const file = resolve(output ?? `${id}.png`);
      writingFile(file, '--output', () => writeFileSync(file, picture.png));
      this.print({ id, file, width: picture.width, height: picture.height, cut: picture.cut }, () => `${file}\n`);
      const note = cutNote(id, picture);
      if (note !== undefined) this.status(note);
    });
  }
}
