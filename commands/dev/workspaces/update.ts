import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { UsageError } from '../../../src/cli/errors/exit-codes.js';
import { requestFields } from '../../../src/cli/flags/request-field.js';
import { yesFlag } from '../../../src/cli/flags/shared.js';
import { workspaceLimitFlags } from '../../../src/cli/flags/workspaces.js';
import { fieldLines } from '../../../src/cli/output/fields.js';
import { confirmOnRemote } from '../../../src/cli/terminal/confirm.js';
import { formatDuration } from '../../../src/contract/vocabulary/durations.js';

export default class DevWorkspacesUpdate extends ControlCommand {
  static override summary = 'Change the limits of a workspace';

  static override examples = [
    {
      description: 'Limit the emails of a workspace to 500 recipients a month',
      command: '<%= config.bin %> dev workspaces update worker-1 --monthly-quota 500',
    },
    {
      description: 'Apply the quota of the plan again',
      command: '<%= config.bin %> dev workspaces update worker-1 --default monthly-quota',
    },
  ];

  static override args = { name: Args.string({ description: 'Name of the workspace.', required: true }) };

  static override flags = {
    ...workspaceLimitFlags,
    default: Flags.string({
      description: 'Limit to reset to that of the server or the plan; repeatable.',
      helpValue: 'LIMIT',
      options: Object.keys(workspaceLimitFlags),
      multiple: true,
    }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevWorkspacesUpdate);
    const given = await requestFields(DevWorkspacesUpdate.flags, flags);
    const body = { ...given, ...removedLimits(flags.default ?? [], given) };
    if (Object.keys(body).length === 0) {
      throw new UsageError('Nothing to update. Pass --keep, --max-age, --monthly-quota or --default.');
    }
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Change the limits of workspace ${args.name}`, flags);
      const workspace = await client.control('workspaces.update', { params: { name: args.name }, body });
      const { keep, max_age_ms, monthly_quota, sent_this_month } = workspace;
      this.print(workspace, () =>
        fieldLines({
          name: workspace.name,
          keep: keep ?? 'limit of the server',
          'max age': max_age_ms === null ? 'limit of the server' : formatDuration(max_age_ms),
          'monthly quota': monthly_quota ?? 'quota of the plan',
          'this month': sent_this_month,
        }),
      );
    });
  }
}

/** Returns the fields of limits to remove. @throws UsageError if one of them has a value, too. */
function removedLimits(names: readonly string[], given: object): Record<string, null> {
  const limits = Object.entries(workspaceLimitFlags).filter(([name]) => names.includes(name));
  for (const [name, { field }] of limits) {
    if (!(field in given)) continue;
    throw new UsageError(`--default ${name} and --${name} cannot be used together. Leave out one of them.`);
  }
  return Object.fromEntries(limits.map(([, { field }]) => [field, null]));
}
