import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { lineOfClock } from '../../../src/cli/output/formatters/clock.js';

export default class DevClockFreeze extends ControlCommand {
  static override summary = 'Freeze the service’s clock';

  static override examples = ['<%= config.bin %> dev clock freeze'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockFreeze);
    await this.withClient(flags, async (client) => {
      const clock = await client.control('clock.update', { body: { frozen: true } });
      this.print(clock, () => lineOfClock(clock));
    });
  }
}
