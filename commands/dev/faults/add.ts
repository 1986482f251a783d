import { Flags } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { UsageError } from '../../../src/cli/errors/exit-codes.js';
import { requestFields } from '../../../src/cli/flags/request-field.js';
import { checkQuery } from '../../../src/cli/flags/values/query.js';
import { workspaceFlag } from '../../../src/cli/flags/workspaces.js';
import { oneLine } from '../../../src/cli/output/text.js';
import { checkFaultParts, faultFlags } from '../../../src/cli/server/flags/faults.js';
import { createPreset } from '../../../src/cli/server/seed/apply-seed.js';
import { effectOf, targetOf } from '../../../src/client/rule-texts.js';
import type { Fault } from '../../../src/contract/control/simulation/faults.js';
import { faultPresetNames } from '../../../src/contract/vocabulary/faults/presets.js';

export default class DevFaultsAdd extends ControlCommand {
  static override summary = 'Add a fault to SMTP, REST or webhooks';

  static override description =
    'If several faults apply, the newest one is injected. What is injected is marked: replies and errors end with ' +
    '"(injected by svc)", and responses have the header X-Service-Fault.';

  static override examples = [
    {
      description: 'Add a lost reply to the next message, so that the client sends it twice',
      command: '<%= config.bin %> dev faults add --smtp end --drop after --times 1',
    },
    {
      description: 'Add a rate limit that refuses every second email',
      command: `<%= config.bin %> dev faults add --http 'POST /v1/emails' --code 429 --every 2`,
    },
    {
      description: 'Add two failures of webhook receivers',
      command: `<%= config.bin %> dev faults add --webhook '*' --code 500 --times 2`,
    },
    {
      description: 'Add greylisting',
      command: '<%= config.bin %> dev faults add --preset greylist',
    },
  ];

  static override flags = {
    ...faultFlags,
    preset: Flags.option({
      options: faultPresetNames,
      description: 'Named set of faults, instead of the other flags.',
      helpValue: 'NAME',
    })(),
    ...workspaceFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevFaultsAdd);
    const { preset, match } = flags;
    const body = await requestFields(faultFlags, flags);
    const scope = await requestFields(workspaceFlag, flags);
    if (preset === undefined) {
      checkFaultParts(body);
      if (match !== undefined) await checkQuery('--match', match);
    } else {
      const other = Object.keys(faultFlags).find((name) => name in flags);
      if (other !== undefined) throw new UsageError(`--preset cannot be combined with --${other}.`);
    }
    await this.withClient(flags, async (client) => {
      if (preset === undefined) {
        const fault = await client.control('faults.create', { body: { ...body, ...scope } });
        this.print(fault, () => line(fault));
      } else {
        const faults = await createPreset(client, preset, scope);
        this.print({ faults }, () => faults.map(line).join(''));
      }
    });
  }
}

function line(fault: Fault): string {
  return `${fault.id}  ${oneLine(targetOf(fault))}  ${oneLine(effectOf(fault))}\n`;
}
