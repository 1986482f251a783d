import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { yesFlag } from '../../src/cli/flags/shared.js';
import { byteSizeFlag } from '../../src/cli/flags/values/value-types.js';
import { describeResources } from '../../src/cli/output/formatters/resource-counts.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { byteSize } from '../../src/cli/output/numbers.js';
import { damageNotice, importNotices, openArchive } from '../../src/cli/server/archive-file.js';
import { confirm, refuseSkipped, targetName } from '../../src/cli/terminal/confirm.js';
import { counted, openProgress } from '../../src/cli/terminal/progress.js';
import { IMPORT_BYTES_DEFAULT } from '../../src/contract/vocabulary/limits.js';

export default class DevImport extends ControlCommand {
  static override summary = 'Replace the local server’s data with an export';

  static override description =
    'Imports everything, or nothing if the file is damaged or was written by a newer version of svc; a running ' +
    'server continues with the imported data and its clock, and keeps its own API key and webhook secret. Import ' +
    'only archives that you trust: their webhooks become active unless you pass --pause-webhooks, and their API ' +
    'keys become valid. Damaged rows are kept in the table "quarantine", which "svc doctor" lists.';

  static override examples = [
    '<%= config.bin %> dev import state.tar.gz',
    { description: 'Skip the confirmation, in a script', command: '<%= config.bin %> dev import state.tar.gz --yes' },
    {
      description: 'Send no events to the webhooks of the archive',
      command: '<%= config.bin %> dev import state.tar.gz --yes --pause-webhooks',
    },
  ];

  static override args = {
    file: Args.string({ description: 'File written by "svc dev export", or - for stdin.', required: true }),
  };

  static override flags = {
    yes: { ...yesFlag.yes, description: 'Skip the confirmation before replacing all data.' },
    'max-size': fills(
      'max_bytes',
      byteSizeFlag({
        description: `Largest size of the unpacked archive (default: ${IMPORT_BYTES_DEFAULT / 1024 ** 3}GiB).`,
      }),
    ),
    'pause-webhooks': fills(
      'pause_webhooks',
      Flags.boolean({ description: 'Deactivate the webhooks of the archive.' }),
      (set) => (set ? ('true' as const) : undefined),
    ),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevImport);
    const archive = openArchive(args.file);
    const query = await requestFields(DevImport.flags, flags);
    await this.withClient(flags, async (client, target) => {
      refuseSkipped(target);
      await confirm(`Replace all data ${targetName(target)}`, flags);
      const progress = openProgress('Importing', { json: flags.json, amount: byteSize });
      const body = counted(archive.bytes, (count) => progress.at(count, archive.size));
      const imported = await client.control('import', { body, query }).finally(progress.clear);
      this.print(imported, () => '');
      this.info(`Imported the export of ${localTime(imported.exported_at)}: ${await describeResources(client)}.`);
      for (const line of importNotices(imported)) this.info(line);
      if (imported.set_aside > 0) this.info(await damageNotice(client, imported.set_aside));
    });
  }
}
