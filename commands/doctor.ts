import { Flags } from '@oclif/core';
import { ClientCommand } from '../src/cli/command/client-command.js';
import {
  checkDatabase,
  type DatabaseFindings,
  repairDatabaseOf,
  withDamagedClock,
} from '../src/cli/data-dir/database-check.js';
import { locateDataDir } from '../src/cli/data-dir/find.js';
import { exitCodes } from '../src/cli/errors/exit-codes.js';
import { yesFlag } from '../src/cli/flags/shared.js';
import { describeFinding } from '../src/cli/output/formatters/email.js';
import { oneLine } from '../src/cli/output/text.js';
import { diagnose } from '../src/cli/server/diagnose.js';
import { confirm } from '../src/cli/terminal/confirm.js';
import { plural } from '../src/contract/vocabulary/text.js';

export default class Doctor extends ClientCommand {
  static override summary = 'Diagnose problems and suggest fixes';

  static override description =
    'Checks Node.js, the data directory and its database, the default ports, a running or stale server, the ' +
    'profiles, the API key and the clock, and exits with 1 if it finds a problem. Lists rows of the database ' +
    'that svc cannot use, such as rows edited by hand. With --repair, such rows and failed jobs move to the ' +
    'table "quarantine", which keeps their content, also while a server is running.';

  static override exitCodes = { 1: 'A problem was found.' };

  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --json',
    { description: 'Set damaged rows aside', command: '<%= config.bin %> doctor --repair --yes' },
  ];

  static override flags = {
    repair: Flags.boolean({ description: 'Move damaged rows and failed jobs to the table "quarantine".' }),
    yes: { ...yesFlag.yes, description: 'Skip the confirmation before repairing.' },
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const located = locateDataDir(flags, process.env, process.cwd());
    const dataDir = located.path;
    const others = await diagnose(located, flags);
    // Last, because a server that starts in this process quarantines damaged rows.
    let database: DatabaseFindings = located.refusal ? { findings: [], damaged: [] } : await checkDatabase(dataDir);
    const repaired = flags.repair ? await this.#repair(database, dataDir, flags) : undefined;
    if (repaired) database = await checkDatabase(dataDir);
    const findings = [...withDamagedClock(others, database.damaged), ...database.findings];
    const ok = findings.every((finding) => finding.ok);
    const { damaged } = database;
    this.print({ ok, findings, damaged, ...(repaired && { repaired }) }, () => findings.map(describeFinding).join(''));
    if (!ok) process.exitCode = exitCodes.failed;
  }

  /** Moves damaged rows into the table `quarantine`, and returns them. */
  async #repair(
    { damaged }: DatabaseFindings,
    dataDir: string,
    answers: { yes: boolean; input: boolean },
  ): Promise<DatabaseFindings['damaged']> {
    if (damaged.length === 0) return [];
    await confirm(`Move ${plural(damaged.length, 'row')} of ${dataDir} to the table "quarantine"`, answers);
    const repaired = await repairDatabaseOf(dataDir);
    for (const { table, key, reason } of repaired) this.info(oneLine(`Moved ${table} ${key} to quarantine: ${reason}`));
    return repaired;
  }
}
