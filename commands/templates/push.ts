import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { confirmOnRemote } from '../../src/cli/confirm.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { openProgress } from '../../src/cli/progress.js';
import { yesFlag } from '../../src/cli/shared-flags.js';
import { describePlan, describePush, refusalOf } from '../../src/cli/sync-output.js';
import { syncPlace } from '../../src/cli/sync-record.js';
import { existingDirectory } from '../../src/cli/template-dir.js';
import { planPush, push, readSync } from '../../src/cli/template-sync.js';

export default class TemplatesPush extends ClientCommand {
  static override summary = 'Make the server’s templates those of a directory';

  static override description =
    `Creates and updates; with --delete also removes what the directory does not have. A template that was changed or removed on
the server since the last push or pull is refused, and nothing is changed, unless --force. What both sides had then is noted in
DIRECTORY/.svc-sync.json, by server; keep that file with the templates. A template that both sides have, that differs, and that no
note is of is refused as well. A server on this machine that has no template at all counts as emptied, such as by svc dev reset, and
gets all of them. What was synced with a server in memory is forgotten with it. Pushing twice changes nothing the second time.`;

  static override examples = [
    '<%= config.bin %> templates push',
    '<%= config.bin %> templates push ./emails --delete --dry-run',
  ];

  static override args = {
    directory: Args.string({ description: 'Directory of template directories.', default: 'templates' }),
  };

  static override flags = {
    delete: Flags.boolean({ description: 'Delete templates that the directory does not have.' }),
    force: Flags.boolean({
      description: 'Overwrite templates that were changed on the server, make those anew that were removed there.',
    }),
    'dry-run': Flags.boolean({
      description: 'Print the plan and change nothing; exit code 1 when it would be refused.',
    }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesPush);
    const directory = existingDirectory(args.directory, process.cwd());
    await this.withClient(flags, async (client, target) => {
      const reading = openProgress('Reading templates', flags);
      const sync = await readSync(client, syncPlace(directory, target, flags), reading.at).finally(reading.clear);
      const plan = planPush(sync, flags);
      const applied = !flags['dry-run'];
      const refusal = refusalOf(plan, sync);
      if (applied && refusal) throw refusal;
      const changes = plan.filter(({ action }) => action !== 'unchanged');
      if (applied && changes.length > 0) {
        // Before the question; with nothing to ask, the plan is printed once, as what was done.
        if (target.kind === 'remote' && !flags.yes) this.say(describePlan(changes, sync).trimEnd());
        await confirmOnRemote(target, `Make ${changes.length} change${changes.length === 1 ? '' : 's'}`, flags);
      }
      if (applied) {
        const pushing = openProgress('Pushing templates', flags);
        await push(client, sync, plan, pushing.at).finally(pushing.clear);
      }
      this.print({ steps: plan, applied }, () => describePlan(plan, sync));
      if (!refusal) return this.say(describePush(plan, applied));
      this.say(refusal.message);
      process.exitCode = exitCodes.failed;
    });
  }
}
