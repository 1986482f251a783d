import { ClientCommand } from '../../../src/cli/client-command.js';
import { describeRule, usesOf } from '../../../src/cli/rule-output.js';
import { table } from '../../../src/cli/text.js';

export default class DevRulesList extends ClientCommand {
  static override summary = 'List the rules for the outcome of mail, the one that is asked first first';

  static override examples = ['<%= config.bin %> dev rules list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevRulesList);
    await this.withClient(flags, async (client) => {
      const listed = await client.control('rules.list', {});
      const rows = listed.rules.map((rule) => [rule.id, rule.to, rule.outcome, usesOf(rule), describeRule(rule)]);
      this.print(listed, () => (rows.length > 0 ? table(['ID', 'TO', 'OUTCOME', 'USED', 'DETAILS'], rows) : ''));
      if (rows.length === 0) this.say("No rules. Add one with: svc dev rules add --to '*@corp.test' --outcome bounced");
    });
  }
}
