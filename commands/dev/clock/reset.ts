import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { describeJobsRun, lineOfClock } from '../../../src/cli/output/formatters/clock.js';
import { whileMoving } from '../../../src/cli/server/moving-clock.js';

export default class DevClockReset extends ControlCommand {
  static override summary = 'Reset the service’s clock to the system time';

  static override description =
    'Unfreezes the clock too. Moving forward runs everything that falls due in between. Moving back undoes nothing; ' +
    'pending work waits longer.';

  static override examples = ['<%= config.bin %> dev clock reset'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockReset);
    await this.withClient(flags, async (client, target) => {
      const travel = await whileMoving(target, this.info.bind(this), (signal) =>
        client.control('clock.update', { body: { offset_ms: 0 } }, { signal }),
      );
      if (!travel) return;
      this.print(travel, () => lineOfClock(travel));
      this.info(describeJobsRun(travel));
    });
  }
}
