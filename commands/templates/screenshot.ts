import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import {
  clientFlags,
  contentForClients,
  cutNote,
  pictureFlags,
  pictureName,
  viewSummary,
  withPictures,
} from '../../src/cli/emails/pictures.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { oneLine } from '../../src/cli/output/text.js';
import { makeDirectory, writingFile } from '../../src/cli/process/files.js';
import { chosenTemplates } from '../../src/cli/templates/check-content.js';
import { codeFlag, templateArgs } from '../../src/cli/templates/directory.js';
import { openProgress } from '../../src/cli/terminal/progress.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class TemplatesScreenshot extends BaseCommand {
  static override summary = 'Write pictures of template files';

  static override description =
    'Renders each template with its sample.json, without a server, and writes a PNG file of it, as the installed ' +
    'Chrome, Chromium or Edge shows it without scripts and network. Mail clients show it differently: --client applies ' +
    'the documented rules of one, approximately. Needs the package playwright-core; SVC_BROWSER is the path of another ' +
    'browser.';

  static override examples = [
    '<%= config.bin %> templates screenshot ./emails --output pictures',
    {
      description: 'Show one template in dark mode on a phone',
      command: '<%= config.bin %> templates screenshot ./emails welcome --dark --width 375',
    },
    {
      description: 'Show all templates as Gmail does on a phone with Android, in dark mode',
      command: '<%= config.bin %> templates screenshot ./emails --client gmail.android --dark --width 375',
    },
  ];

  static override args = templateArgs;

  static override strict = false;

  static override flags = {
    ...pictureFlags,
    ...clientFlags,
    ...codeFlag,
    output: Flags.string({ description: 'Directory to write to.', helpValue: 'DIRECTORY', default: 'screenshots' }),
  };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(TemplatesScreenshot);
    const { dark, width, client } = flags;
    const sampled = (await chosenTemplates(args.directory, (argv as string[]).slice(1), flags)).map((each) => {
      if ('problem' in each) throw new UsageError(each.problem, each.hint);
      return each;
    });
    const contents = await contentForClients(
      sampled.map(({ rendered }) => rendered),
      flags,
    );
    const folder = resolve(flags.output);
    const written: { name: string; file: string; width: number; height: number; cut: boolean }[] = [];
    const progress = openProgress('Taking pictures', flags);
    await withPictures(flags['no-sandbox'], async (pictures) => {
      for (const [index, { template, rendered }] of sampled.entries()) {
        progress.at(written.length, sampled.length);
        const content = contents[index] ?? rendered;
        const { png, ...about } = await pictures.take(content, { dark, width });
        const file = join(folder, pictureName(template.directory, { dark, width, client }));
        writingFile(file, '--output', () => {
          makeDirectory(folder);
          writeFileSync(file, png);
        });
        written.push({ name: template.name, file, ...about, ...viewSummary(contents[index]?.view) });
      }
    }).finally(progress.clear);
    this.print({ pictures: written }, () => written.map(({ file }) => `${file}\n`).join(''));
    for (const each of written) {
      const note = cutNote(oneLine(each.name), each);
      if (note !== undefined) this.status(note);
    }
    this.info(`${plural(written.length, 'picture')} written.`);
  }
}
