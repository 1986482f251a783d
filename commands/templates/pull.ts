import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { assertDirectoryPath } from '../../src/cli/errors/fs-errors.js';
import { codeFlag, templateArgs } from '../../src/cli/templates/directory.js';
import { planPull, pull, readSync, stepsOf } from '../../src/cli/templates/sync.js';
import { describeEqual, describeResult, syncCommand, warningsFor } from '../../src/cli/templates/sync-output.js';
import { openSyncContext } from '../../src/cli/templates/sync-record.js';
import { openProgress } from '../../src/cli/terminal/progress.js';

export default class TemplatesPull extends ClientCommand {
  static override summary = 'Write the server’s templates to a directory';

  static override description =
    'Keeps local files that changed since the last push or pull, and files that differ but have no entry in ' +
    'DIRECTORY/.svc-sync.json, unless you pass --force. Never changes sample.json and deletes nothing; templates deleted ' +
    'on the server are reported. Exits with 1 if a template changed on both sides and was skipped; the others are written.';

  static override examples = ['<%= config.bin %> templates pull', '<%= config.bin %> templates pull ./emails --force'];

  static override args = templateArgs;

  static override strict = false;

  static override flags = {
    force: Flags.boolean({ description: 'Overwrite files that changed locally.' }),
    ...codeFlag,
  };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(TemplatesPull);
    const names = (argv as string[]).slice(1);
    const directory = resolve(args.directory);
    assertDirectoryPath(directory);
    await this.withClient(flags, async (client, target) => {
      const progress = openProgress('Reading templates', flags);
      const sync = await readSync(client, openSyncContext(directory, target, flags), flags, progress.at).finally(
        progress.clear,
      );
      const plan = stepsOf(planPull(sync, flags.force), names, sync);
      pull(sync, plan);
      this.print({ steps: plan }, () => describeResult(plan, sync));
      const equal = describeEqual(plan);
      if (equal !== '') this.info(`${equal}.`);
      for (const warning of warningsFor(plan, sync, syncCommand(args.directory, flags))) this.info(warning);
      if (plan.some(({ action }) => action === 'conflict')) process.exitCode = exitCodes.failed;
    });
  }
}
