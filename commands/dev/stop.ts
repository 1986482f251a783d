import { BaseCommand } from '../../src/cli/base-command.js';
import { findDataDir } from '../../src/cli/data-dir.js';
import { dataDirFlag } from '../../src/cli/data-dir-flag.js';
import { requireRunningServer } from '../../src/cli/running-server.js';
import { stopServer } from '../../src/cli/stop-server.js';

export default class DevStop extends BaseCommand {
  static override summary = 'Stop the local server, and wait until it is gone';

  static override description = 'Exits with 5 when none is running.';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = ['<%= config.bin %> dev stop'];

  static override flags = dataDirFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(DevStop);
    const server = await requireRunningServer(findDataDir(flags['data-dir'], process.env, process.cwd()));
    await stopServer(server);
    const { pid, base_url } = server;
    this.print({ stopped: true, pid, base_url }, () => '');
    this.say(`Stopped ${base_url} (pid ${pid}).`);
  }
}
