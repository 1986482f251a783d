import { Flags } from '@oclif/core';
import { ClientCommand } from '../src/cli/command/client-command.js';
import { checkPeriod, periodFlags, withPeriodAt } from '../src/cli/flags/period.js';
import { fills, requestFields } from '../src/cli/flags/request-field.js';
import { analyticsChart, analyticsTable } from '../src/cli/output/formatters/analytics.js';
import { stdoutView } from '../src/cli/output/table.js';
import { counterNames, groupings } from '../src/contract/vocabulary/event-types.js';

export default class Analytics extends ClientCommand {
  static override summary = 'Count email outcomes by day, week or month';

  static override description =
    'Draws bars on a terminal: one per period and one per counter. Prints a table of numbers otherwise. An email that ' +
    'bounces after its delivery counts as delivered and as bounced.';

  static override examples = [
    { description: 'Count the last 30 days by day', command: '<%= config.bin %> analytics' },
    {
      description: 'Count one quarter by month',
      command: '<%= config.bin %> analytics --since 2026-07-01 --until 2026-09-30 --by month',
    },
  ];

  static override flags = {
    ...periodFlags({
      since: 'First date in ISO 8601, or duration before now (default: 30 days before the last).',
      until: 'Last date in ISO 8601, or duration before now (default: now).',
    }),
    by: fills('group_by', Flags.option({ description: 'Length of a period.', options: groupings, default: 'day' })()),
    table: Flags.boolean({ description: 'Print a table of numbers instead of bars.' }),
    all: Flags.boolean({ description: 'Include periods without events.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Analytics);
    checkPeriod(flags);
    await this.withClient(flags, async (client, { now }) => {
      const query = await requestFields(Analytics.flags, withPeriodAt(flags, now()));
      const result = await client.call('analytics.emails', { query });
      this.print(result, () => {
        const shown = result.by_date.filter((period) => flags.all || counterNames.some((name) => period[name] > 0));
        const { width, ...view } = stdoutView();
        const isComplete = [result.total, ...shown].every((counts) =>
          counterNames.every((name) => name in counts && counts[name] !== undefined),
        );
        if (width === null || flags.table || !isComplete)
          return analyticsTable(shown, result.total, { ...view, width });
        return analyticsChart(shown, result.total, { ...view, width });
      });
    });
  }
}
