import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { importMessages } from '../../src/cli/emails/import/import-messages.js';
import { openSource } from '../../src/cli/emails/import/source.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { byteSize } from '../../src/cli/output/numbers.js';
import { runInterruptible } from '../../src/cli/process/signals.js';
import { openProgress } from '../../src/cli/terminal/progress.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class EmailsImport extends ControlCommand {
  static override summary = 'Import messages from files and mailboxes';

  static override description =
    'Adds messages as if they were received over SMTP: .eml files, mailboxes in the mbox format, Maildir ' +
    'directories, or either on stdin; the envelope follows from the header. A message that an earlier import has ' +
    'added is skipped, so you can repeat an interrupted import. Messages that cannot be added are listed on ' +
    'stderr, and the rest is imported.';

  static override exitCodes = { 1: 'A message could not be added, or the command failed.' };

  static override examples = [
    { description: 'Import files', command: '<%= config.bin %> emails import mail/*.eml' },
    { description: 'Import a mailbox', command: '<%= config.bin %> emails import archive.mbox' },
    {
      description: 'Import a message from a pipe',
      command: 'cat mail/welcome.eml | <%= config.bin %> emails import -',
    },
  ];

  static override strict = false;

  static override args = {
    file: Args.string({ description: 'Files, mailboxes or Maildir directories, or - for stdin.', required: true }),
  };

  static override flags = {
    again: Flags.boolean({ description: 'Also add messages that an earlier import has added.' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EmailsImport);
    const sources = (argv as string[]).map(openSource);
    const sizes = sources.map(({ size }) => size);
    const total = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    const progress = openProgress('Importing', { json: flags.json, amount: byteSize });
    let read = 0;
    await this.withClient(flags, (client) =>
      runInterruptible(async (signal) => {
        const { imported, skipped, failed, failures } = await importMessages(client, sources, {
          again: flags.again,
          signal,
          onBytes: (count) => {
            read += count;
          },
          onProgress: () => progress.at(read, total),
          onFailure: ({ name, message }) => {
            progress.clear();
            this.info(`${name}: ${message}`);
          },
        }).finally(progress.clear);
        this.print({ imported, skipped, failed: failures, failures: failed }, () => '');
        this.info(`${summaryOf(imported, skipped, failures)}.`);
        if (signal.aborted) this.info('Run the same command again to import the rest.');
        else if (failures > 0) process.exitCode = exitCodes.failed;
      }),
    );
  }
}

function summaryOf(imported: number, skipped: number, failed: number): string {
  return [
    `${plural(imported, 'email')} imported`,
    ...(skipped > 0 ? [`${skipped} already imported`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}
