import { BaseCommand } from '../../src/cli/command/base-command.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { fieldLines } from '../../src/cli/output/fields.js';
import { countResources } from '../../src/cli/output/formatters/resource-counts.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { requireRunningServer } from '../../src/cli/server/running-server.js';
import { openChoice } from '../../src/cli/target/target.js';

export default class DevStatus extends BaseCommand {
  static override summary = 'Show the local server’s address, uptime and contents';

  static override description = 'Exits with 5 if no local server is running.';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = ['<%= config.bin %> dev status', '<%= config.bin %> dev status --json'];

  static override flags = dataDirFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(DevStatus);
    const dataDir = this.takeDataDir(flags);
    const { base_url, smtp, pid, started_at, data_dir, api_key, now } = await requireRunningServer(dataDir);
    const choice = { kind: 'local', baseUrl: base_url, apiKey: api_key, why: '', now } as const;
    const counts = await countResources((await openChoice(choice)).client);
    const status = { running: true, base_url, smtp, pid, started_at, data_dir, counts };
    this.print(status, () =>
      fieldLines({
        api: base_url,
        smtp: `${smtp.host}:${smtp.port}`,
        pid,
        since: localTime(started_at),
        data: data_dir ?? 'in memory',
        ...counts,
      }),
    );
  }
}
