import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { nextCommand } from '../../../src/cli/command/next-command.js';
import { type Column, stdoutView, table } from '../../../src/cli/output/table.js';
import { describeRule, usesOf } from '../../../src/client/rule-texts.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'TO', rank: 2 },
  { title: 'OUTCOME', rank: 3, kind: 'status' },
  { title: 'USED', rank: 4 },
  { title: 'DETAILS', rank: 5 },
];

export default class DevRulesList extends ControlCommand {
  static override summary = 'List outcome rules in order of precedence';

  static override examples = ['<%= config.bin %> dev rules list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevRulesList);
    await this.withClient(flags, async (client) => {
      const listed = await client.control('rules.list', {});
      const rows = listed.rules.map((rule) => [rule.id, rule.to, rule.outcome, usesOf(rule), describeRule(rule)]);
      this.print(listed, () => (rows.length > 0 ? table(COLUMNS, rows, stdoutView()) : ''));
      if (rows.length === 0)
        this.info(
          `No rules. Add one with: ${nextCommand("dev rules add --to '*@corp.test' --outcome bounced", flags)}`,
        );
    });
  }
}
