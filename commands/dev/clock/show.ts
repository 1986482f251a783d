import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { lineOfClock } from '../../../src/cli/output/formatters/clock.js';

export default class DevClockShow extends ControlCommand {
  static override summary = 'Show the service’s clock';

  static override examples = ['<%= config.bin %> dev clock show'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockShow);
    await this.withClient(flags, async (client) => {
      const clock = await client.control('clock.get', {});
      this.print(clock, () => lineOfClock(clock));
    });
  }
}
