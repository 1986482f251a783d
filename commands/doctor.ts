import { checkDataDir, checkNode, checkPorts, checkServer, checkTarget, type Finding } from '../src/cli/checkup.js';
import { ClientCommand } from '../src/cli/client-command.js';
import { findDataDir } from '../src/cli/data-dir.js';
import { exitCodes } from '../src/cli/exit-codes.js';
import { lookForServer } from '../src/cli/running-server.js';
import { chooseTarget, openChoice } from '../src/cli/target.js';
import { oneLine } from '../src/cli/text.js';

export default class Doctor extends ClientCommand {
  static override summary = 'Diagnose problems and suggest fixes';

  static override description =
    'Checks the version of Node.js, the data directory and its database, the default ports, a running or stale ' +
    'server, the profiles, the API key and the clock. Exits with 1 if it finds a problem.';

  static override exitCodes = { 1: 'A problem was found.' };

  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const dataDir = findDataDir(flags['data-dir'], process.env, process.cwd());
    const found = await lookForServer(dataDir);
    const findings: Finding[] = [
      checkNode(process.versions.node),
      checkDataDir(dataDir),
      checkServer(dataDir, found),
      ...(await checkPorts(found?.server)),
      ...(await checkTarget(() => chooseTarget(flags, process.env, process.cwd()), openChoice, dataDir)),
    ];
    const ok = findings.every((finding) => finding.ok);
    this.print({ ok, findings }, () => findings.map(linesOf).join(''));
    if (!ok) process.exitCode = exitCodes.failed;
  }
}

function linesOf({ check, ok, found, cure }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${check.padEnd(14)}  ${oneLine(found)}\n`;
  return cure === null ? line : `${line}${' '.repeat(25)}${oneLine(cure)}\n`;
}
