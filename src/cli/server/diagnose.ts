import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CA_CERT_FILE, CA_KEY_FILE, SERVER_CERT_FILE, SERVER_KEY_FILE } from '../../storage/data-dir-files.js';
import type { FoundDataDir } from '../data-dir/find.js';
import { CommandError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';
import type { Finding } from '../output/formatters/email.js';
import { systemNow } from '../output/local-time.js';
import { readSmallFile } from '../process/files.js';
import { lookForServer } from '../target/running-server.js';
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

const CHECK = 'TLS certificate';
const RESTART = 'Restart the server with --starttls or --smtp-tls-port, which creates it again.';

/** Checks the certificates of a data directory. Finds nothing in one without a CA. */
async function checkTls(dataDir: string): Promise<Finding[]> {
  if (!existsSync(join(dataDir, CA_CERT_FILE))) return [];
  const { endOf, matches, remainingMs } = await import('./tls/own-certificate.js');
  const failed = (found: string, fix: string): Finding[] => [{ check: CHECK, ok: false, found, fix }];
  try {
    const ca = pairOf(dataDir, CA_CERT_FILE, CA_KEY_FILE);
    const server = pairOf(dataDir, SERVER_CERT_FILE, SERVER_KEY_FILE);
    if (!matches(ca)) {
      const fix = 'Restore them, or remove both to create a new CA, which clients then have to trust.';
      return failed(`${CA_CERT_FILE} and ${CA_KEY_FILE} are not a certificate and its key`, fix);
    }
    if (!matches(server)) {
      return failed(`${SERVER_CERT_FILE} and ${SERVER_KEY_FILE} are not a certificate and its key`, RESTART);
    }
    const [caEnd, end] = [endOf(ca.cert), endOf(server.cert)].map((instant) => instant.slice(0, 10));
    if (remainingMs(server.cert, systemNow()) < 0) return failed(`ended on ${end}`, RESTART);
    return [{ check: CHECK, ok: true, found: `valid until ${end}; its CA until ${caEnd}`, fix: null }];
  } catch (error) {
    return failed(`cannot be read: ${(error as Error).message}`, 'Make the files readable for this user.');
  }
}

function pairOf(dataDir: string, cert: string, key: string) {
  return { cert: readSmallFile(join(dataDir, cert)), key: readSmallFile(join(dataDir, key)) };
}
