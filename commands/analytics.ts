import { Flags } from '@oclif/core';
import { analyticsChart, analyticsTable } from '../src/cli/analytics-output.js';
import { ClientCommand } from '../src/cli/client-command.js';
import { readPeriod } from '../src/cli/period-flags.js';
import { stdoutView } from '../src/cli/table.js';
import { dateFlag } from '../src/cli/value-forms.js';
import { counterNames, groupings } from '../src/contract/counters.js';

export default class Analytics extends ClientCommand {
  static override summary = 'Count email outcomes by day, week or month';

  static override description =
    'On a terminal as bars: one a period, as long as mail was sent in it, and one a counter. Elsewhere as numbers.';

  static override examples = [
    { description: 'The last 30 days', command: '<%= config.bin %> analytics' },
    {
      description: 'A quarter by month',
      command: '<%= config.bin %> analytics --since 2026-07-01 --until 2026-09-30 --by month',
    },
  ];

  static override flags = {
    since: dateFlag({ description: 'First date, in ISO 8601. Default: 30 days before the last.' }),
    until: dateFlag({ description: 'Last date, in ISO 8601. Default: now.' }),
    by: Flags.string({ description: 'Period.', options: groupings, default: 'day' }),
    table: Flags.boolean({ description: 'Print numbers instead of bars on a terminal too.' }),
    all: Flags.boolean({ description: 'Show periods without any event too.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Analytics);
    const query = { ...readPeriod(flags), group_by: flags.by };
    await this.withClient(flags, async (client) => {
      const result = await client.call('analytics.emails', { query });
      this.print(result, () => {
        const shown = result.by_date.filter((period) => flags.all || counterNames.some((name) => period[name] > 0));
        const { width, ...view } = stdoutView();
        if (width === null || flags.table) return analyticsTable(shown, result.total, { ...view, width });
        return analyticsChart(shown, result.total, { ...view, width });
      });
    });
  }
}
