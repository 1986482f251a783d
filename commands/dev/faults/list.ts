import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { nextCommand } from '../../../src/cli/command/next-command.js';
import { type Column, stdoutView, table } from '../../../src/cli/output/table.js';
import { describeFault, effectOf, leftOf, targetOf } from '../../../src/client/rule-texts.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'TARGET', rank: 2 },
  { title: 'EFFECT', rank: 3 },
  { title: 'HITS', rank: 4, kind: 'number' },
  { title: 'TIMES LEFT', rank: 5 },
  { title: 'DETAILS', rank: 6 },
];

export default class DevFaultsList extends ControlCommand {
  static override summary = 'List faults in order of precedence';

  static override examples = ['<%= config.bin %> dev faults list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevFaultsList);
    await this.withClient(flags, async (client) => {
      const listed = await client.control('faults.list', {});
      const rows = listed.faults.map((fault) => [
        fault.id,
        targetOf(fault),
        effectOf(fault),
        String(fault.hits),
        leftOf(fault),
        describeFault(fault),
      ]);
      this.print(listed, () => (rows.length > 0 ? table(COLUMNS, rows, stdoutView()) : ''));
      if (rows.length === 0) {
        this.info(`No faults. Add one with: ${nextCommand('dev faults add --smtp end --drop after --times 1', flags)}`);
      }
    });
  }
}
