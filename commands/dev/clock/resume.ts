import { lineOfClock } from '../../../src/cli/clock-output.js';
import { ControlCommand } from '../../../src/cli/control-command.js';

export default class DevClockResume extends ControlCommand {
  static override summary = 'Let the service’s time pass again, from where it stands';

  static override description = '“svc dev clock reset” brings it back to the machine’s time.';

  static override examples = ['<%= config.bin %> dev clock resume'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockResume);
    await this.withClient(flags, async (client) => {
      const clock = await client.control('clock.update', { body: { frozen: false } });
      this.print(clock, () => lineOfClock(clock));
    });
  }
}
