import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { checkTemplates } from '../../src/cli/templates/check-templates.js';
import { describeDifferences, withTexts } from '../../src/cli/templates/differences.js';
import { codeFlag, existingDirectory, templateArgs } from '../../src/cli/templates/directory.js';
import { planPush, readSync, stepsOf } from '../../src/cli/templates/sync.js';
import { openSyncContext } from '../../src/cli/templates/sync-record.js';

export default class TemplatesDiff extends ClientCommand {
  static override summary = 'Compare local templates with the server’s';

  static override description =
    'Prints one line per template that differs: what "svc templates push --delete --force" would do (+ create, ~ ' +
    'update, - delete), which parts differ, and on which side they changed since the last push or pull. A ' +
    'unified diff follows: - is the server, + the directory, and ␍ stands for a carriage return; with --json, ' +
    'each step contains both texts. Exits with 3 if templates differ.';

  static override exitCodes = { 3: 'Templates differ.' };

  static override examples = [
    '<%= config.bin %> templates diff',
    '<%= config.bin %> templates diff ./emails welcome',
    '<%= config.bin %> templates diff ./emails --json',
  ];

  static override args = templateArgs;

  static override strict = false;

  static override flags = { ...codeFlag };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(TemplatesDiff);
    const names = (argv as string[]).slice(1);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, target) => {
      const sync = await readSync(client, openSyncContext(directory, target, flags), flags);
      const steps = stepsOf(planPush(sync, { delete: true, force: true }), names, sync)
        .filter(({ action }) => action !== 'unchanged')
        .map((step) => withTexts(step, sync));
      const { errors, warnings } = await checkTemplates(steps, sync);
      for (const { path, message } of errors) this.printWarning(`${path}: ${message}.`);
      for (const { path, message } of warnings) this.printWarning(`${path}: ${message}; it would be sent as it is.`);
      this.print({ differs: steps.length > 0, steps, errors, warnings }, () => describeDifferences(steps, sync));
      if (steps.length > 0) process.exitCode = exitCodes.assertionFailed;
      else this.info('No differences.');
    });
  }
}
