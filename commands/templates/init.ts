import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/base-command.js';
import { CommandError, UsageError } from '../../src/cli/exit-codes.js';
import { refuseFile } from '../../src/cli/file-trouble.js';
import { templatesIn } from '../../src/cli/template-dir.js';
import { copyStarter } from '../../src/cli/write-template-dir.js';
import { nearestName } from '../../src/contract/nearest-name.js';

export default class TemplatesInit extends BaseCommand {
  static override summary = 'Copy a starter template into a directory, to make it yours';

  static override examples = [
    '<%= config.bin %> templates init welcome',
    '<%= config.bin %> templates init receipt ./emails/receipt',
  ];

  static override args = {
    starter: Args.string({ description: 'Which starter. Without one, they are listed.' }),
    directory: Args.string({ description: 'Where to. Default: templates/<starter>.' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(TemplatesInit);
    const shipped = join(this.config.root, 'templates');
    const starters = templatesIn(shipped);
    const { starter } = args;
    if (starter === undefined) return this.print({ starters }, () => starters.map((name) => `${name}\n`).join(''));
    if (!starters.includes(starter)) {
      const nearest = nearestName(starter, starters);
      throw new UsageError(
        `There is no starter named ${JSON.stringify(starter)}.`,
        nearest ? `Did you mean ${nearest}?` : `There are: ${starters.join(', ')}.`,
      );
    }
    const directory = resolve(args.directory ?? join('templates', starter));
    refuseFile(directory);
    if (existsSync(directory) && readdirSync(directory).length > 0) {
      throw new CommandError(
        `${directory} is there already and not empty. Nothing was changed.`,
        'Name another directory.',
      );
    }
    copyStarter(join(shipped, starter), directory);
    this.print({ starter, directory }, () => `${directory}\n`);
    this.say(`See it with: svc templates render ${args.directory ?? starter}`);
  }
}
