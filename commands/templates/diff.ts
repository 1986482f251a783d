import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { syncPlace } from '../../src/cli/sync-record.js';
import { existingDirectory } from '../../src/cli/template-dir.js';
import { describeDifferences, withTexts } from '../../src/cli/template-patch.js';
import { planPush, readSync } from '../../src/cli/template-sync.js';

export default class TemplatesDiff extends ClientCommand {
  static override summary = 'Compare a directory with the server’s templates; exit code 3 when they differ';

  static override description =
    `A line for each template that differs: what push --delete --force would do to it on the server (+ create, ~ update, - delete), what of it
differs, and where it was changed since the last push or pull: here, there, or on both sides. After it, what differs line by line, as a
unified patch: - is on the server, + in the directory, and a carriage return is shown as ␍. With --json, a step's texts hold both.`;

  static override exitCodes = { 3: 'They differ.' };

  static override examples = ['<%= config.bin %> templates diff', '<%= config.bin %> templates diff ./emails --json'];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesDiff);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, target) => {
      const sync = await readSync(client, syncPlace(directory, target, flags));
      const steps = planPush(sync, { delete: true, force: true })
        .filter(({ action }) => action !== 'unchanged')
        .map((step) => withTexts(step, sync));
      this.print({ differs: steps.length > 0, steps }, () => describeDifferences(steps, sync));
      if (steps.length > 0) process.exitCode = exitCodes.notHeld;
      else this.say('No differences.');
    });
  }
}
