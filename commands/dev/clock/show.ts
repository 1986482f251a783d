import { ClientCommand } from '../../../src/cli/client-command.js';
import { lineOfClock } from '../../../src/cli/clock-output.js';

export default class DevClockShow extends ClientCommand {
  static override summary = 'Show the service’s time';

  static override examples = ['<%= config.bin %> dev clock show'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockShow);
    await this.withClient(flags, async (client) => {
      const clock = await client.control('clock.get', {});
      this.print(clock, () => lineOfClock(clock));
    });
  }
}
