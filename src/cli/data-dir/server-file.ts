import { lstatSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isLoopback, isUnspecified } from '../../contract/vocabulary/domains.js';
import { parsedJson } from '../../contract/vocabulary/json.js';
import { PORT_MAX } from '../../contract/vocabulary/limits.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { StarttlsMode } from '../../contract/vocabulary/smtp.js';
import { SERVER_FILE } from '../../storage/data-dir-files.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { excerpt, shellQuote } from '../output/text.js';
import { readSmallFile } from '../process/files.js';
import { identityOf, isAlive, userOf } from '../process/process-identity.js';

/**
 * Reads and writes `server.json`, the address of a data directory's running server. Its content is checked before it
 * is used.
 */

const VISIBLE = /^[\x21-\x7e]+$/;

interface TlsFacts {
  /** Whether the SMTP port offers or requires STARTTLS; null for neither. */
  starttls: StarttlsMode | null;
  /** The address with TLS from the start; null for none. */
  smtps: { host: string; port: number } | null;
  /** The file with the certificate of the local CA; null if it is not in a file. */
  ca_file: string | null;
  /** That certificate, in PEM; null if the user provides the certificates. */
  ca: string | null;
}

/** The address of the running server of a data directory. */
export interface RunningServer extends Credentials {
  pid: number;
  /**
   * Distinguishes the process from later ones with the same id; null where the system does not report it. Earlier
   * versions omitted it.
   */
  process?: string | null;
  instance: string;
  base_url: string;
  smtp: { host: string; port: number };
  /** Present if SMTP clients must log in. */
  smtp_login?: 'required';
  /** TLS of the SMTP server; undefined without it. */
  tls?: TlsFacts;
  lmtp?: { host: string; port: number };
  lmtp_socket?: string;
  /** The directory where email is stored; null in memory. */
  data_dir: string | null;
  started_at: string;
}

/** Whether the process in server.json is that server. `unknown` where the system reports too little. */
type ProcessIdentity = 'server' | 'unknown';

/** The server that server.json names. Its process is alive, and is not known to be another program. */
export interface RecordedServer {
  server: RunningServer;
  identity: ProcessIdentity;
}

/**
 * Returns the server that server.json names; undefined when its process has ended, whatever else the file contains.
 * @throws CommandError when the file contains something that svc never writes, such as another machine's address.
 */
export function readRunningServer(directory: string): RecordedServer | undefined {
  const file = join(directory, SERVER_FILE);
  let text: string;
  try {
    text = readSmallFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const advice = 'Make it readable for this user, or name another data directory with --data-dir.';
    throw new CommandError(`${file} cannot be read: ${describeFileError(error)}`, advice);
  }
  const parsed = parsedJson(text);
  const pidFault = pidFaultOf(parsed);
  if (pidFault !== undefined) throw refused(file, pidFault);
  const server = parsed as RunningServer;
  // After a crash and a change of network, the file may contain an address that this machine no longer has.
  if (!isAlive(server.pid)) return undefined;
  const identity = processOf(directory, server);
  if (identity === 'another') return undefined;
  const fault = faultOf(server);
  if (fault !== undefined) throw refused(file, fault);
  return { server, identity };
}

/** Returns whether a server is the one of its data directory: its process is verified, or the directory is locked. */
export async function isProven(directory: string, { identity }: RecordedServer): Promise<boolean> {
  return identity === 'server' || isLocked(directory);
}

/** Returns whether a process holds the lock of a data directory, which only its server takes. */
export async function isLocked(directory: string): Promise<boolean> {
  const { isServerLocked } = await import('../../storage/server-lock.js');
  return isServerLocked(directory);
}

/**
 * Checks whether the process id in server.json still belongs to that server, because process ids and ports are reused.
 * Returns `unknown` where the system reports too little.
 */
export function processOf(
  directory: string,
  { pid, process: expected }: Pick<RunningServer, 'pid' | 'process'>,
): ProcessIdentity | 'another' {
  const found = identityOf(pid);
  if (found === undefined || typeof expected !== 'string') return 'unknown';
  // server.json may only name processes of its owner, or of this user, because a mounted file system may report any
  // owner.
  const users = [process.getuid?.(), lstatSync(join(directory, SERVER_FILE), { throwIfNoEntry: false })?.uid];
  return found === expected && users.includes(userOf(pid)) ? 'server' : 'another';
}

/** Returns the problem of the process id in server.json; undefined when svc may have written it. */
function pidFaultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not a JSON object';
  const { pid, process: identity } = value as RunningServer;
  if (!Number.isSafeInteger(pid) || pid < 1) return 'pid must be an integer greater than 1';
  // Process 1 can be a server in a container. On any other system it is the init process.
  if (pid === 1 && (typeof identity !== 'string' || identityOf(pid) !== identity))
    return 'pid must be an integer greater than 1';
  return undefined;
}

/** Returns the problem of the other fields of server.json; undefined when svc may have written them. */
function faultOf(server: RunningServer): string | undefined {
  const { process: identity, instance, base_url, smtp, data_dir, started_at, ...keys } = server;
  if (typeof (identity ?? '') !== 'string') return 'process must be a string or null';
  if (!isOwnUrl(base_url))
    return `base_url must be an http address of this machine, not ${excerpt(JSON.stringify(base_url) ?? '')}`;
  if (typeof smtp?.host !== 'string' || !isOwnAddress(smtp.host)) {
    return `smtp.host must be an address of this machine, not ${excerpt(JSON.stringify(smtp?.host) ?? '')}`;
  }
  if (!Number.isSafeInteger(smtp.port) || smtp.port < 1 || smtp.port > PORT_MAX) return 'smtp.port must be a port';
  const tlsFault = faultOfTls(server.tls);
  if (tlsFault !== undefined) return tlsFault;
  if (data_dir !== null && typeof data_dir !== 'string') return 'data_dir must be a string or null';
  const texts = { instance, started_at, api_key: keys.api_key, webhook_secret: keys.webhook_secret };
  const wrong = Object.entries(texts).find(([, text]) => typeof text !== 'string' || !VISIBLE.test(text));
  return wrong && `${wrong[0]} must be a string without spaces`;
}

function faultOfTls(tls: TlsFacts | undefined): string | undefined {
  if (tls === undefined) return undefined;
  if (typeof tls !== 'object' || tls === null) return 'tls must be an object';
  const { smtps, ca_file, ca } = tls;
  if (smtps !== null && (!isOwnAddress(smtps?.host ?? '') || !Number.isSafeInteger(smtps?.port))) {
    return 'tls.smtps must be an address of this machine';
  }
  const areTexts = [ca_file, ca].every((value) => value === null || typeof value === 'string');
  return areTexts ? undefined : 'tls.ca_file and tls.ca must be strings or null';
}

function isOwnUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(value);
  const bare = username + password + search + hash === '' && pathname.endsWith(SERVICE_PREFIX);
  return protocol === 'http:' && bare && isOwnAddress(hostname);
}

function refused(file: string, fault: string): CommandError {
  return new CommandError(
    `${file} is not used: ${fault}.`,
    `If no server runs there, remove it: rm ${shellQuote(file)}`,
  );
}

/** The local server's API key and webhook secret. They are created with the data directory and never change. */
export interface Credentials {
  api_key: string;
  webhook_secret: string;
}

/** Returns whether a host is this machine: `localhost`, a loopback address, or an address of one of its interfaces. */
export function isOwnAddress(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (address === 'localhost') return true;
  // Another name may resolve to another machine.
  if (isIP(address) === 0) return false;
  if (isLoopback(address) || isUnspecified(address)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}
