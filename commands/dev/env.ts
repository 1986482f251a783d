import { BaseCommand } from '../../src/cli/command/base-command.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { exportLines, serverVariables } from '../../src/cli/server/connection-variables.js';
import { requireRunningServer } from '../../src/cli/server/running-server.js';

export default class DevEnv extends BaseCommand {
  static override summary = 'Print the local server’s settings as shell variables';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = [
    { description: 'Set the variables in this shell', command: 'eval "$(<%= config.bin %> dev env)"' },
    { description: 'Print the settings as JSON', command: '<%= config.bin %> dev env --json' },
  ];

  static override flags = dataDirFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(DevEnv);
    const dataDir = this.takeDataDir(flags);
    const variables = serverVariables(await requireRunningServer(dataDir), dataDir);
    this.print(variables, () => exportLines(variables));
  }
}
