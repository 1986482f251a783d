import { BaseCommand } from '../../src/cli/command/base-command.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { stopServer } from '../../src/cli/server/stop.js';
import { lookForServer, notRunning } from '../../src/cli/target/running-server.js';

export default class DevStop extends BaseCommand {
  static override summary = 'Stop the local server';

  static override description =
    'Waits at most a minute until the server has stopped. Exits with 5 if no local server is running.';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = ['<%= config.bin %> dev stop'];

  static override flags = dataDirFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(DevStop);
    const dataDir = this.takeDataDir(flags);
    const found = await lookForServer(dataDir);
    if (!found) throw await notRunning(dataDir);
    await stopServer(dataDir, found.server, (reason) => this.info(reason));
    const { pid, base_url } = found.server;
    this.print({ stopped: true, pid, base_url }, () => '');
    this.info(`Stopped ${base_url} (pid ${pid}).`);
  }
}
