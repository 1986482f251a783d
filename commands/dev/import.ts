import { Args, Flags } from '@oclif/core';
import { openArchive } from '../../src/cli/archive-file.js';
import { byteSize } from '../../src/cli/byte-size.js';
import { confirm, holder, refuseSkipped } from '../../src/cli/confirm.js';
import { ControlCommand } from '../../src/cli/control-command.js';
import { dataDirPath } from '../../src/cli/find-data-dir.js';
import { counted, openProgress } from '../../src/cli/progress.js';
import { describeHeld } from '../../src/cli/server-counts.js';
import { yesFlag } from '../../src/cli/shared-flags.js';
import { svcCommand } from '../../src/cli/svc-command.js';
import { byteSizeFlag } from '../../src/cli/value-forms.js';
import { readByteSize } from '../../src/contract/byte-size.js';
import { IMPORT_BYTES_DEFAULT } from '../../src/contract/limits.js';
import type { Imported } from '../../src/contract/state-control.js';

export default class DevImport extends ControlCommand {
  static override summary = 'Replace the local server’s data with an export';

  static override description =
    'Imports everything, or nothing if the file is damaged or was written by a newer version of svc. A running server ' +
    'continues with the imported data: the clock is set to that of the export, work that is due runs, and event streams ' +
    'show only later events. The server keeps its own API key, its webhook secret and its "webhooks listen" sessions.\n\n' +
    'Import only archives that you trust. The webhooks of the archive become active and receive events of later mail, ' +
    'unless you pass --pause-webhooks. Its API keys become valid. The command prints both. Damaged rows are kept in the ' +
    'table "quarantine" and counted; "svc doctor" lists them.';

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
    'max-size': byteSizeFlag({
      description: `Largest size of the unpacked archive (default: ${IMPORT_BYTES_DEFAULT / 1024 ** 3}GiB).`,
    }),
    'pause-webhooks': Flags.boolean({ description: 'Deactivate the webhooks of the archive.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevImport);
    const archive = openArchive(args.file);
    await this.withClient(flags, async (client, target) => {
      refuseSkipped(target);
      await confirm(`Replace all data ${holder(target)}`, flags);
      const progress = openProgress('Importing', { json: flags.json, amount: byteSize });
      const body = counted(archive.bytes, (count) => progress.at(count, archive.size));
      const maxBytes = flags['max-size'] === undefined ? undefined : readByteSize(flags['max-size']);
      const query = {
        ...(maxBytes !== undefined && { max_bytes: String(maxBytes) }),
        ...(flags['pause-webhooks'] && { pause_webhooks: 'true' as const }),
      };
      const imported = await client.control('import', { body, query }).finally(progress.clear);
      this.print(imported, () => '');
      this.say(`Imported the export of ${imported.exported_at}: ${await describeHeld(client)}.`);
      for (const line of notices(imported, svcCommand('doctor', dataDirPath(flags, process.env, process.cwd()))))
        this.say(line);
    });
  }
}

/** What an import brings that a person may not expect. */
function notices({ active_webhooks, api_keys, set_aside }: Imported, doctor: string): string[] {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const lines: string[] = [];
  if (active_webhooks.length > 0) {
    lines.push(`Active webhooks that receive events from now on: ${active_webhooks.join(', ')}`);
  }
  if (api_keys > 0)
    lines.push(`${count(api_keys, 'API key')} of the archive ${api_keys === 1 ? 'is' : 'are'} valid on this server.`);
  if (set_aside > 0) lines.push(`${count(set_aside, 'damaged row')} set aside. List them with "${doctor}".`);
  return lines;
}
