import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { CommandError, UsageError } from '../../src/cli/errors/exit-codes.js';
import { assertDirectoryPath } from '../../src/cli/errors/fs-errors.js';
import { templatesIn } from '../../src/cli/templates/directory.js';
import { copyStarter } from '../../src/cli/templates/write-directory.js';
import { nearestName } from '../../src/contract/vocabulary/nearest-name.js';

export default class TemplatesInit extends BaseCommand {
  static override summary = 'Copy a starter template into a directory';

  static override examples = [
    '<%= config.bin %> templates init welcome',
    '<%= config.bin %> templates init receipt ./emails/receipt',
  ];

  static override args = {
    starter: Args.string({ description: 'Name of the starter. If absent, lists all starters.' }),
    directory: Args.string({ description: 'Target directory (default: templates/<starter>).' }),
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
        `Starter ${JSON.stringify(starter)} not found.`,
        nearest ? `Did you mean ${nearest}?` : `Choose one of: ${starters.join(', ')}.`,
      );
    }
    const directory = resolve(args.directory ?? join('templates', starter));
    assertDirectoryPath(directory);
    if (existsSync(directory) && readdirSync(directory).length > 0) {
      throw new CommandError(
        `${directory} already exists and is not empty. Nothing was changed.`,
        'Choose another directory.',
      );
    }
    copyStarter(join(shipped, starter), directory);
    this.print({ starter, directory }, () => `${directory}\n`);
    this.info(`To see it, run: svc templates render ${args.directory ?? starter}`);
  }
}
