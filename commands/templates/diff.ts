import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { describeDifferences, withTexts } from '../../src/cli/templates/differences.js';
import { existingDirectory } from '../../src/cli/templates/directory.js';
import { planPush, readSync } from '../../src/cli/templates/sync.js';
import { openSyncContext } from '../../src/cli/templates/sync-record.js';

export default class TemplatesDiff extends ClientCommand {
  static override summary = 'Compare local templates with the server’s';

  static override description =
    'Prints one line per template that differs: what "svc templates push --delete --force" would do (+ create, ~ update, ' +
    '- delete), which parts differ, and on which side they changed since the last push or pull. A unified diff follows: - ' +
    'is the server, + the directory, and ␍ stands for a carriage return. With --json, each step contains both texts. Exits ' +
    'with 3 if templates differ.';

  static override exitCodes = { 3: 'Templates differ.' };

  static override examples = ['<%= config.bin %> templates diff', '<%= config.bin %> templates diff ./emails --json'];

  static override args = {
    directory: Args.string({ description: 'Directory that contains the template directories.', default: 'templates' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesDiff);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, target) => {
      const sync = await readSync(client, openSyncContext(directory, target, flags));
      const steps = planPush(sync, { delete: true, force: true })
        .filter(({ action }) => action !== 'unchanged')
        .map((step) => withTexts(step, sync));
      this.print({ differs: steps.length > 0, steps }, () => describeDifferences(steps, sync));
      if (steps.length > 0) process.exitCode = exitCodes.assertionFailed;
      else this.info('No differences.');
    });
  }
}
