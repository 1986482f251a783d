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
  static override summary = 'Write the server’s templates into a directory';

  static override description =
    `Files that were changed since the last push or pull are left as they are, unless --force; so are those that differ and of
which nothing is noted in DIRECTORY/.svc-sync.json. sample.json is never touched. Nothing is removed: what was removed on the server is
named. Exit code 1 when a template that was changed on the server too was left for that reason; the others are written.`;

  static override examples = ['<%= config.bin %> templates pull', '<%= config.bin %> templates pull ./emails --force'];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  static override flags = { force: Flags.boolean({ description: 'Overwrite files that were changed here.' }) };

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
