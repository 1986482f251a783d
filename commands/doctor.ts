import {
  checkDataDir,
  checkNode,
  checkPorts,
  checkServer,
  checkTarget,
  checkTrust,
  type Finding,
  type ServerFound,
} from '../src/cli/checkup.js';
import { ClientCommand } from '../src/cli/client-command.js';
import { CommandError, exitCodes } from '../src/cli/exit-codes.js';
import { locateDataDir } from '../src/cli/find-data-dir.js';
import { lookForServer } from '../src/cli/running-server.js';
import { chooseTarget, openChoice } from '../src/cli/target.js';
import { oneLine } from '../src/cli/text.js';

export default class Doctor extends ClientCommand {
  static override summary = 'Look for what keeps svc from working, and say what to do about it';

  static override description =
    'Looks at the version of Node.js, the data directory and its database, the usual ports, a running or stale ' +
    'server, the profiles, the key, and the clock. Exits with 1 when anything is wrong.';

  static override exitCodes = { 1: 'Something is wrong.' };

  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const located = locateDataDir(flags, process.env, process.cwd());
    const dataDir = located.path;
    // Of a directory that must not be used, nothing is read.
    const found = located.refusal ? undefined : await lookForServer(dataDir).catch(refusalOf);
    const server = found instanceof CommandError ? undefined : found?.server;
    const findings: Finding[] = [
      checkNode(process.versions.node),
      ...checkTrust(located),
      ...(located.refusal ? [] : [checkDataDir(dataDir), checkServer(dataDir, found)]),
      ...(await checkPorts(server)),
      ...(await checkTarget(() => chooseTarget(flags, process.env, process.cwd()), openChoice, dataDir)),
    ];
    const ok = findings.every((finding) => finding.ok);
    this.print({ ok, findings }, () => findings.map(linesOf).join(''));
    if (!ok) process.exitCode = exitCodes.failed;
  }
}

function refusalOf(error: unknown): ServerFound {
  if (error instanceof CommandError) return error;
  throw error;
}

function linesOf({ check, ok, found, cure }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${check.padEnd(14)}  ${oneLine(found)}\n`;
  return cure === null ? line : `${line}${' '.repeat(25)}${oneLine(cure)}\n`;
}
