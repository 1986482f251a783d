import { lineOfClock, sayWhatRan } from '../../../src/cli/clock-output.js';
import { ControlCommand } from '../../../src/cli/control-command.js';

export default class DevClockReset extends ControlCommand {
  static override summary = 'Bring the service’s time back to the machine’s, and let it pass';

  static override description =
    'Where that is forward, it runs what is due on the way. Backward, nothing is undone, and what is still to come waits longer.';

  static override examples = ['<%= config.bin %> dev clock reset'];

  async run(): Promise<void> {
    const { flags } = await this.parse(DevClockReset);
    await this.withClient(flags, async (client) => {
      const travel = await client.control('clock.update', { body: { offset_ms: 0 } });
      this.print(travel, () => lineOfClock(travel));
      this.say(sayWhatRan(travel));
    });
  }
}
