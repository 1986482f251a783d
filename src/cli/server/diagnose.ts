import type { FoundDataDir } from '../data-dir/find.js';
import { CommandError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';
import type { Finding } from '../output/formatters/finding.js';
import { chooseTarget, openChoice } from '../target/target.js';
import {
  checkDataDir,
  checkNode,
  checkPorts,
  checkServer,
  checkTarget,
  checkTrust,
  type ServerFound,
} from './diagnostics.js';
import { lookForServer } from './running-server.js';
import { checkTls } from './tls/diagnose-tls.js';

/** Runs all checks of `svc doctor` except that of the database. Reads nothing of a directory that must not be used. */
export async function diagnose(located: FoundDataDir, flags: TargetFlags): Promise<Finding[]> {
  const dataDir = located.path;
  const found = located.refusal ? undefined : await lookForServer(dataDir).catch(refusalOf);
  const server = found instanceof CommandError ? undefined : found?.server;
  return [
    checkNode(process.versions.node),
    ...checkTrust(located),
    ...(located.refusal ? [] : [checkDataDir(dataDir), checkServer(dataDir, found), ...(await checkTls(dataDir))]),
    ...(await checkPorts(server)),
    ...(await checkTarget(() => chooseTarget(flags, process.env, process.cwd()), openChoice, dataDir)),
  ];
}

function refusalOf(error: unknown): ServerFound {
  if (error instanceof CommandError) return error;
  throw error;
}
