import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { checkTemplates } from '../../src/cli/templates/check-templates.js';
import { codeFlag, existingDirectory, requireTemplates, templateArgs } from '../../src/cli/templates/directory.js';
import { planPush, push, readSync, type Sync, type SyncStep, stepsOf } from '../../src/cli/templates/sync.js';
import {
  describePlan,
  describePush,
  describeResult,
  refusalOf,
  refusalOfFiles,
  syncCommand,
} from '../../src/cli/templates/sync-output.js';
import { openSyncContext } from '../../src/cli/templates/sync-record.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';
import { openProgress } from '../../src/cli/terminal/progress.js';
import type { Client } from '../../src/client/client.js';
import { ApiFailure } from '../../src/client/failures.js';
import type { ErrorDetail } from '../../src/contract/vocabulary/error-detail.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class TemplatesPush extends ClientCommand {
  static override summary = 'Update the server’s templates from a directory';

  static override description =
    'Creates and updates templates; with --delete, also deletes those that the directory does not contain. If a ' +
    'template was changed or deleted on the server since the last push or pull, or differs and has no sync ' +
    'record, nothing is changed unless you pass --force. Sync records are kept per server in ' +
    'DIRECTORY/.svc-sync.json; keep that file with the templates.';

  static override examples = [
    '<%= config.bin %> templates push',
    '<%= config.bin %> templates push ./emails welcome',
    '<%= config.bin %> templates push ./emails --delete --dry-run',
  ];

  static override args = templateArgs;

  static override strict = false;

  static override flags = {
    delete: Flags.boolean({ description: 'Delete templates that the directory does not contain.' }),
    force: Flags.boolean({
      description: 'Overwrite templates changed on the server, and recreate those deleted there.',
    }),
    'dry-run': Flags.boolean({
      description: 'Print the plan without changing anything; exits with 1 if the push would be refused.',
    }),
    ...codeFlag,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(TemplatesPush);
    const names = (argv as string[]).slice(1);
    const directory = existingDirectory(args.directory, process.cwd());
    // With --delete, an empty directory deletes all templates, on purpose.
    if (!flags.delete) requireTemplates(directory);
    await this.withClient(flags, async (client, target) => {
      const reading = openProgress('Reading templates', flags);
      const sync = await readSync(client, openSyncContext(directory, target, flags), flags, reading.at).finally(
        reading.clear,
      );
      const plan = stepsOf(planPush(sync, flags), names, sync);
      const applied = !flags['dry-run'];
      const { errors, warnings } = await checkTemplates(plan, sync);
      const refusal = refusalOf(plan, sync, syncCommand(args.directory, flags)) ?? refusalOfFiles(errors);
      for (const { path, message } of warnings) this.printWarning(`${path}: ${message}; it is sent unchanged.`);
      if (applied && refusal) throw refusal;
      const changes = plan.filter(({ action }) => action !== 'unchanged');
      if (applied && changes.length > 0) {
        // Printed before the prompt. Without a prompt, the result alone is printed.
        if (target.kind === 'remote' && !flags.yes) this.info(describePlan(changes, sync).trimEnd());
        await confirmOnRemote(target, `Make ${plural(changes.length, 'change')}`, flags);
      }
      if (!applied) this.print({ steps: plan, applied, errors, warnings }, () => describePlan(plan, sync));
      else await this.#push(client, sync, plan, flags, warnings);
      if (!refusal) return this.info(describePush(plan, applied));
      const each = errors.length > 1 ? errors.map(({ path, message }) => `  ${path}: ${message}`) : [];
      this.info([refusal.message, ...each].join('\n'));
      process.exitCode = exitCodes.failed;
    });
  }

  /** Pushes, and reports what was done. @throws the error of the first template that fails. */
  async #push(
    client: Client,
    sync: Sync,
    plan: readonly SyncStep[],
    flags: { json: boolean },
    warnings: ErrorDetail[],
  ) {
    const pushing = openProgress('Pushing templates', flags);
    const { steps, failure } = await push(client, sync, plan, pushing.at).finally(pushing.clear);
    this.print({ steps, applied: failure === undefined, errors: [], warnings }, () => describeResult(steps, sync));
    if (!failure) return;
    const { name, error } = failure;
    if (!(error instanceof ApiFailure)) throw error;
    throw error.withMessage(`Template ${JSON.stringify(name)}: ${error.message}`, error.details);
  }
}
