import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../../src/cli/flags/request-field.js';
import { durationArg, durationFlag } from '../../../src/cli/flags/values/value-types.js';
import { describeJobsRun, lineOfClock } from '../../../src/cli/output/formatters/clock.js';
import { whileMoving } from '../../../src/cli/server/moving-clock.js';

export default class DevClockAdvance extends ControlCommand {
  static override summary = 'Advance the service’s clock';

  static override description =
    'Runs everything that falls due in that span, in order, and whatever that triggers: scheduled emails, deferred ' +
    'deliveries, webhook attempts. Returns when all of it has finished. Waits at most 10 seconds in all for webhook ' +
    'receivers; then attempts end as timed out if the new time has passed their limit.';

  static override examples = [
    { description: 'Advance to the end of a webhook retry cycle', command: '<%= config.bin %> dev clock advance 3m' },
    { description: 'Advance by a day and a half', command: '<%= config.bin %> dev clock advance 1d12h' },
  ];

  static override args = {
    by: durationArg({ description: 'Duration, such as 90s, 2h, 1d12h or PT2H.', required: true }),
  };

  static override flags = {
    wait: fills(
      'wait',
      durationFlag({ description: 'Time to wait in all for webhook attempts under way (default: 10s).' }),
    ),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevClockAdvance);
    await this.withClient(flags, async (client, target) => {
      const body = { by: args.by, ...(await requestFields(DevClockAdvance.flags, flags)) };
      const travel = await whileMoving(target, this.info.bind(this), (signal) =>
        client.control('clock.advance', { body }, { signal }),
      );
      if (!travel) return;
      this.print(travel, () => lineOfClock(travel));
      this.info(describeJobsRun(travel));
    });
  }
}
