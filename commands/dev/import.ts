import { Args } from '@oclif/core';
import { openArchive } from '../../src/cli/archive-file.js';
import { byteSize } from '../../src/cli/byte-size.js';
import { confirm, holder } from '../../src/cli/confirm.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { counted, openProgress } from '../../src/cli/progress.js';
import { describeHeld } from '../../src/cli/server-counts.js';
import { yesFlag } from '../../src/cli/shared-flags.js';

export default class DevImport extends ControlCommand {
  static override summary = 'Replace the local server’s data with an export';

  static override description =
    'Imports everything, or nothing if the file is damaged or was written by a newer version of svc. A running server ' +
    'continues with the imported data: the clock is set to that of the export, work that is due runs, and event streams ' +
    'show only later events. The server keeps its own API key, its webhook secret and its "webhooks listen" sessions; API ' +
    'keys of the export are valid too.';

  static override examples = [
    '<%= config.bin %> dev import state.tar.gz',
    { description: 'Skip the confirmation, in a script', command: '<%= config.bin %> dev import state.tar.gz --yes' },
  ];

  static override args = {
    file: Args.string({ description: 'File written by "svc dev export", or - for stdin.', required: true }),
  };

  static override flags = { yes: { ...yesFlag.yes, description: 'Skip the confirmation before replacing all data.' } };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevImport);
    const archive = openArchive(args.file);
    await this.withClient(flags, async (client, target) => {
      await confirm(`Replace all data ${holder(target)}`, flags);
      const progress = openProgress('Importing', { json: flags.json, amount: byteSize });
      const body = counted(archive.bytes, (count) => progress.at(count, archive.size));
      const manifest = await client.control('import', { body }).finally(progress.clear);
      this.print(manifest, () => '');
      this.say(`Imported the export of ${manifest.exported_at}: ${await describeHeld(client)}.`);
    });
  }
}
