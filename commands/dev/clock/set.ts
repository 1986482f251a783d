import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { dateTimeArg } from '../../../src/cli/flags/values/value-types.js';
import { describeJobsRun, lineOfClock } from '../../../src/cli/output/formatters/clock.js';
import { whileMoving } from '../../../src/cli/server/moving-clock.js';

export default class DevClockSet extends ControlCommand {
  static override summary = 'Set the service’s clock';

  static override description =
    'Moving forward runs everything that falls due in between. Moving back undoes nothing; pending work waits longer.';

  static override examples = ['<%= config.bin %> dev clock set 2027-01-31T23:59:00Z'];

  static override args = {
    now: dateTimeArg({ description: 'ISO 8601 date and time with an offset or Z.', required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevClockSet);
    await this.withClient(flags, async (client, target) => {
      const travel = await whileMoving(target, this.info.bind(this), (signal) =>
        client.control('clock.update', { body: { now: args.now } }, { signal }),
      );
      if (!travel) return;
      this.print(travel, () => lineOfClock(travel));
      this.info(describeJobsRun(travel));
    });
  }
}
