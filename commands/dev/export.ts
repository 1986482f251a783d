import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { describeResources } from '../../src/cli/output/formatters/resource-counts.js';
import { byteSize } from '../../src/cli/output/numbers.js';
import { runInterruptible } from '../../src/cli/process/signals.js';
import { archiveTarget, writeArchive, writeArchiveToStdout } from '../../src/cli/server/archive-file.js';
import { counted, openProgress } from '../../src/cli/terminal/progress.js';

export default class DevExport extends ControlCommand {
  static override summary = 'Export the local server’s data to a file';

  static override description =
    'Exports emails, events, scheduled work, webhooks and their deliveries, templates, domains, rules, ' +
    'suppressions, the request log, API keys and the clock, as a consistent snapshot; the server keeps accepting ' +
    'mail. The file is a gzipped tar archive of manifest.json and mail.db (an SQLite database). It contains ' +
    'private DKIM keys, webhook secrets and all emails, so only its owner can read it (mode 0600); the data ' +
    'directory’s own API key and webhook secret are not included.';

  static override examples = [
    '<%= config.bin %> dev export state.tar.gz',
    {
      description: 'Copy the data to another server',
      command: '<%= config.bin %> dev export - | <%= config.bin %> dev import - --yes --data-dir ./copy',
    },
  ];

  static override args = { file: Args.string({ description: 'File to write, or - for stdout.', required: true }) };

  static override flags = { force: Flags.boolean({ description: 'Overwrite an existing file.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevExport);
    const toStdout = args.file === '-';
    if (toStdout && process.stdout.isTTY) {
      throw new UsageError('Cannot write an archive to a terminal.', 'Name a file, or redirect stdout to one.');
    }
    const path = toStdout ? '' : archiveTarget(args.file, flags.force);
    await this.withClient(flags, (client) =>
      runInterruptible(async (signal) => {
        const progress = openProgress('Exporting', { json: flags.json, amount: byteSize });
        const bytes = counted(client.stream('export', {}, signal), progress.at);
        const written = toStdout ? writeArchiveToStdout(bytes, signal) : writeArchive(path, bytes, signal);
        const size = await written.finally(progress.clear);
        if (size === undefined) return;
        if (!toStdout) this.print({ file: path, bytes: size }, () => '');
        this.info(`Wrote ${byteSize(size)}: ${await describeResources(client)}.`);
      }),
    );
  }
}
