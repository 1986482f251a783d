import { Args, Flags } from '@oclif/core';
import { archiveTarget, writeArchive, writeArchiveToStdout } from '../../src/cli/archive-file.js';
import { byteSize } from '../../src/cli/byte-size.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { UsageError } from '../../src/cli/exit-codes.js';
import { counted, openProgress } from '../../src/cli/progress.js';
import { describeHeld } from '../../src/cli/server-counts.js';
import { unlessStopped } from '../../src/cli/stopping.js';

export default class DevExport extends ControlCommand {
  static override summary = 'Write everything that the local server holds to one file';

  static override description =
    `Mail, events, scheduled work, webhooks and their deliveries, templates, domains, rules, suppressions, the request log, API
keys and the clock, as they stand at one moment; mail may come in meanwhile. The file is a gzipped tar of manifest.json and
mail.db, an SQLite database. It holds the domains' private keys, the webhooks' secrets and every mail, so its owner alone may
read it (mode 0600). The data directory's own API key and webhook secret are not in it.`;

  static override examples = [
    '<%= config.bin %> dev export state.tar.gz',
    {
      description: 'To another server at once',
      command: '<%= config.bin %> dev export - | <%= config.bin %> dev import - --yes --data-dir ./copy',
    },
  ];

  static override args = { file: Args.string({ description: 'File to write; - for stdout.', required: true }) };

  static override flags = { force: Flags.boolean({ description: 'Overwrite the file.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevExport);
    const toStdout = args.file === '-';
    if (toStdout && process.stdout.isTTY) {
      throw new UsageError('An archive is not for a terminal.', 'Name a file, or send stdout to one.');
    }
    const path = toStdout ? '' : archiveTarget(args.file, flags.force);
    await this.withClient(flags, (client) =>
      unlessStopped(async (signal) => {
        const progress = openProgress('Exporting', { json: flags.json, amount: byteSize });
        const bytes = counted(client.stream('export', {}, signal), progress.at);
        const written = toStdout ? writeArchiveToStdout(bytes, signal) : writeArchive(path, bytes, signal);
        const size = await written.finally(progress.clear);
        if (size === undefined) return;
        if (!toStdout) this.print({ file: path, bytes: size }, () => '');
        this.say(`Wrote ${byteSize(size)}: ${await describeHeld(client)}.`);
      }),
    );
  }
}
