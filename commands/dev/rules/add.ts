import { Flags } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { checkDetails, outcomeFlags } from '../../../src/cli/flags/outcome.js';
import { fills, requestFields } from '../../../src/cli/flags/request-field.js';
import { workspaceFlag } from '../../../src/cli/flags/workspaces.js';
import { oneLine } from '../../../src/cli/output/text.js';
import { describeRule } from '../../../src/client/rule-texts.js';
import { RULE_TIMES_MAX } from '../../../src/contract/vocabulary/limits.js';
import { dropReasons, outcomes } from '../../../src/contract/vocabulary/outcomes.js';

export default class DevRulesAdd extends ControlCommand {
  static override summary = 'Set the outcome of emails to matching recipients';

  static override description =
    'If several rules match a recipient, the newest one applies. The X-Service-Simulate header and recipients at ' +
    'simulator.test take precedence over rules.';

  static override examples = [
    {
      description: 'Bounce the next two emails to a domain',
      command: `<%= config.bin %> dev rules add --to '*@corp.test' --outcome bounced --reason '550 5.1.1 No such user' --times 2`,
    },
    {
      description: 'Delay every delivery by 30 seconds',
      command: `<%= config.bin %> dev rules add --to '*' --outcome deferred --delay 30s`,
    },
  ];

  static override flags = {
    to: fills(
      'to',
      Flags.string({ description: 'Recipient pattern; * matches any text.', required: true, helpValue: 'PATTERN' }),
    ),
    outcome: fills(
      'outcome',
      Flags.option({
        options: outcomes,
        description: 'Outcome for matching recipients.',
        required: true,
        helpValue: 'OUTCOME',
      })(),
    ),
    times: fills(
      'times',
      Flags.integer({
        description: 'Number of emails the rule applies to (default: unlimited).',
        min: 1,
        max: RULE_TIMES_MAX,
      }),
    ),
    'drop-reason': fills(
      'drop_reason',
      Flags.option({ options: dropReasons, description: 'Drop reason (default: invalid_address).' })(),
    ),
    ...outcomeFlags,
    ...workspaceFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevRulesAdd);
    const body = await requestFields(DevRulesAdd.flags, flags);
    checkDetails(body, DevRulesAdd.flags);
    await this.withClient(flags, async (client) => {
      const rule = await client.control('rules.create', { body });
      this.print(rule, () => `${rule.id}  ${oneLine(rule.to)}  ${rule.outcome}  ${oneLine(describeRule(rule))}\n`);
    });
  }
}
