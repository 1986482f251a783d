import { Args } from '@oclif/core';
import { openArchive } from '../../src/cli/archive-file.js';
import { byteSize } from '../../src/cli/byte-size.js';
import { confirm, holder, refuseSkipped } from '../../src/cli/confirm.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { counted, openProgress } from '../../src/cli/progress.js';
import { describeHeld } from '../../src/cli/server-counts.js';
import { yesFlag } from '../../src/cli/shared-flags.js';

export default class DevImport extends ControlCommand {
  static override summary = 'Put what an export holds in the place of everything the local server holds';

  static override description =
    `All of it or, when the file is damaged or from a newer svc, nothing. A running server goes on with what was imported: work
that is due runs, the clock is the export's, and those who follow events see only what happens from then on. The server's own
API key, its webhook secret and the webhooks listen sessions of the moment stay; API keys of the export are valid too.`;

  static override examples = [
    '<%= config.bin %> dev import state.tar.gz',
    { description: 'In a script', command: '<%= config.bin %> dev import state.tar.gz --yes' },
  ];

  static override args = {
    file: Args.string({ description: 'File that an export wrote; - for stdin.', required: true }),
  };

  static override flags = { yes: { ...yesFlag.yes, description: 'Do not ask before everything is replaced.' } };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevImport);
    const archive = openArchive(args.file);
    await this.withClient(flags, async (client, target) => {
      refuseSkipped(target);
      await confirm(`Replace everything that ${holder(target)} holds`, flags);
      const progress = openProgress('Importing', { json: flags.json, amount: byteSize });
      const body = counted(archive.bytes, (count) => progress.at(count, archive.size));
      const manifest = await client.control('import', { body }).finally(progress.clear);
      this.print(manifest, () => '');
      this.say(`Imported what was exported at ${manifest.exported_at}: ${await describeHeld(client)}.`);
    });
  }
}
