import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { existingDirectory } from '../../src/cli/template-dir.js';
import { describeStep, planPush, readSides } from '../../src/cli/template-sync.js';

export default class TemplatesDiff extends ClientCommand {
  static override summary = 'Compare a directory with the server’s templates; exit code 3 when they differ';

  static override exitCodes = { 3: 'They differ.' };

  static override examples = ['<%= config.bin %> templates diff', '<%= config.bin %> templates diff ./emails --json'];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesDiff);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, { baseUrl }) => {
      const sides = await readSides(client, directory);
      const steps = planPush(sides, directory, baseUrl, { delete: true, force: true }).filter(
        ({ action }) => action !== 'unchanged',
      );
      this.print({ differs: steps.length > 0, steps }, () => steps.map((step) => describeStep(step)).join(''));
      if (steps.length > 0) process.exitCode = exitCodes.notHeld;
    });
  }
}
