import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { lineOfClock } from '../../../src/cli/output/formatters/clock.js';

export default class DevClockResume extends ControlCommand {
  static override summary = 'Resume the service’s clock after a freeze';

  static override description =
    'The clock continues from its current time. To return to the system time, run "svc dev clock reset".';

  static override examples = ['<%= config.bin %> dev clock resume'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockResume);
    await this.withClient(flags, async (client) => {
      const clock = await client.control('clock.update', { body: { frozen: false } });
      this.print(clock, () => lineOfClock(clock));
    });
  }
}
