import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { refuseFile } from '../../src/cli/file-trouble.js';
import { openProgress } from '../../src/cli/progress.js';
import { describePlan, remarksOn } from '../../src/cli/sync-output.js';
import { syncPlace } from '../../src/cli/sync-record.js';
import { planPull, pull, readSync } from '../../src/cli/template-sync.js';

export default class TemplatesPull extends ClientCommand {
  static override summary = 'Write the server’s templates to a directory';

  static override description =
    'Keeps local files that changed since the last push or pull, and files that differ but have no entry in ' +
    'DIRECTORY/.svc-sync.json, unless you pass --force. Never changes sample.json and deletes nothing; templates deleted ' +
    'on the server are reported. Exits with 1 if a template changed on both sides and was skipped; the others are written.';

  static override examples = ['<%= config.bin %> templates pull', '<%= config.bin %> templates pull ./emails --force'];

  static override args = {
    directory: Args.string({ description: 'Directory that contains the template directories.', default: 'templates' }),
  };

  static override flags = { force: Flags.boolean({ description: 'Overwrite files that changed locally.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesPull);
    const directory = resolve(args.directory);
    refuseFile(directory);
    await this.withClient(flags, async (client, target) => {
      const progress = openProgress('Reading templates', flags);
      const sync = await readSync(client, syncPlace(directory, target, flags), progress.at).finally(progress.clear);
      const plan = planPull(sync, flags.force);
      pull(sync, plan);
      this.print({ steps: plan }, () => describePlan(plan, sync));
      for (const remark of remarksOn(plan, sync)) this.say(remark);
      if (plan.some(({ action }) => action === 'conflict')) process.exitCode = exitCodes.failed;
    });
  }
}
