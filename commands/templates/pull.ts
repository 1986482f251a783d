import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { openProgress } from '../../src/cli/progress.js';
import { describeStep, planPull, pull, readSides } from '../../src/cli/template-sync.js';

export default class TemplatesPull extends ClientCommand {
  static override summary = 'Write the server’s templates into a directory';

  static override description =
    'Files that differ from the server’s copy are left as they are, unless --force. sample.json is never touched.';

  static override examples = ['<%= config.bin %> templates pull', '<%= config.bin %> templates pull ./emails --force'];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  static override flags = { force: Flags.boolean({ description: 'Overwrite files that differ.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesPull);
    const directory = resolve(args.directory);
    await this.withClient(flags, async (client, { baseUrl }) => {
      const progress = openProgress('Reading templates', flags);
      const sides = await readSides(client, directory, progress.at).finally(progress.clear);
      const plan = planPull(sides, flags.force);
      pull({ sides, plan, directory, baseUrl });
      this.print({ steps: plan }, () => plan.map((step) => describeStep(step)).join(''));
      const conflicts = plan.filter(({ action }) => action === 'conflict').map(({ name }) => name);
      if (conflicts.length > 0) {
        this.say(`Not overwritten: ${conflicts.join(', ')}. See "svc templates diff", or overwrite with --force.`);
        process.exitCode = exitCodes.failed;
      }
    });
  }
}
