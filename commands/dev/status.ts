import { BaseCommand } from '../../src/cli/command/base-command.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { durationFlag } from '../../src/cli/flags/values/value-types.js';
import { fieldLines } from '../../src/cli/output/fields.js';
import { countResources } from '../../src/cli/output/formatters/resource-counts.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { tlsAndLmtpOf } from '../../src/cli/server/tls/smtp-settings.js';
import { requireRunningServer, waitForRunningServer } from '../../src/cli/target/running-server.js';
import { openChoice } from '../../src/cli/target/target.js';
import { readDuration } from '../../src/contract/vocabulary/durations.js';

const WAIT_DEFAULT = '30s';

export default class DevStatus extends BaseCommand {
  static override summary = 'Show the local server’s address, uptime and contents';

  static override description = 'Exits with 5 if no local server is running.';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = [
    '<%= config.bin %> dev status',
    { description: 'Wait until the server is ready', command: '<%= config.bin %> dev status --wait' },
    { description: 'Wait for at most five seconds', command: '<%= config.bin %> dev status --wait 5s --json' },
  ];

  static override flags = {
    wait: durationFlag({
      description: `Wait until the server responds, for at most this time (default: ${WAIT_DEFAULT}).`,
      helpValue: '[DURATION]',
    }),
    ...dataDirFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevStatus, withWaitDefault(this.argv));
    const dataDir = this.takeDataDir(flags);
    const server =
      flags.wait === undefined
        ? await requireRunningServer(dataDir)
        : await waitForRunningServer(dataDir, readDuration(flags.wait) ?? 0);
    const { base_url, smtp, tls, lmtp, lmtp_socket, pid, started_at, data_dir, api_key, now } = server;
    const choice = { kind: 'local', baseUrl: base_url, apiKey: api_key, why: '', now } as const;
    const counts = await countResources((await openChoice(choice)).client);
    const status = { running: true, base_url, smtp, ...tlsAndLmtpOf(server), pid, started_at, data_dir, counts };
    this.print(status, () =>
      fieldLines({
        api: base_url,
        smtp: `${smtp.host}:${smtp.port}${tls?.starttls ? `, STARTTLS ${tls.starttls}` : ''}`,
        'smtp with tls': tls?.smtps && `${tls.smtps.host}:${tls.smtps.port}`,
        lmtp: lmtp && `${lmtp.host}:${lmtp.port}`,
        'lmtp socket': lmtp_socket,
        pid,
        since: localTime(started_at),
        data: data_dir ?? 'in memory',
        ...counts,
      }),
    );
  }
}

/** Completes a `--wait` without a value, because oclif's flags cannot have an optional one. */
function withWaitDefault(argv: readonly string[]): string[] {
  return argv.map((word, index) =>
    word === '--wait' && (argv[index + 1] ?? '-').startsWith('-') ? `--wait=${WAIT_DEFAULT}` : word,
  );
}
