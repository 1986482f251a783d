import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { confirmOnRemote } from '../../src/cli/confirm.js';
import { CommandError } from '../../src/cli/exit-codes.js';
import { openProgress } from '../../src/cli/progress.js';
import { yesFlag } from '../../src/cli/shared-flags.js';
import { existingDirectory } from '../../src/cli/template-dir.js';
import { describeStep, planPush, push, readSides } from '../../src/cli/template-sync.js';

export default class TemplatesPush extends ClientCommand {
  static override summary = 'Make the server’s templates those of a directory';

  static override description =
    `Creates and updates; with --delete also removes what the directory does not have. A template that was changed on the
server after its files were is refused, unless --force. Pushing twice changes nothing the second time.`;

  static override examples = [
    '<%= config.bin %> templates push',
    '<%= config.bin %> templates push ./emails --delete --dry-run',
  ];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  static override flags = {
    delete: Flags.boolean({ description: 'Delete templates that the directory does not have.' }),
    force: Flags.boolean({ description: 'Overwrite templates that are newer on the server.' }),
    'dry-run': Flags.boolean({ description: 'Print the plan and change nothing.' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesPush);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, target) => {
      const { baseUrl } = target;
      const reading = openProgress('Reading templates', flags);
      const sides = await readSides(client, directory, reading.at).finally(reading.clear);
      const plan = planPush(sides, directory, baseUrl, flags);
      const conflicts = plan.filter(({ action }) => action === 'conflict');
      const changes = plan.filter(({ action }) => action !== 'unchanged');
      if (conflicts.length > 0) {
        const names = conflicts.map(({ name }) => name).join(', ');
        throw new CommandError(
          `Newer on the server: ${names}. Nothing was changed.`,
          'Pull first, or overwrite with --force.',
        );
      }
      if (!flags['dry-run'] && changes.length > 0) {
        // Before the question; with nothing to ask, the plan is printed once, as what was done.
        if (target.kind === 'remote') for (const step of changes) this.say(describeStep(step).trimEnd());
        await confirmOnRemote(target, `Make ${changes.length} change${changes.length === 1 ? '' : 's'}`, flags);
        const pushing = openProgress('Pushing templates', flags);
        await push(client, { sides, plan, directory, baseUrl }, pushing.at).finally(pushing.clear);
      }
      this.print({ steps: plan, applied: !flags['dry-run'] }, () => plan.map((step) => describeStep(step)).join(''));
    });
  }
}
