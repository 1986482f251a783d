import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import type { SmtpSettings } from './tls/smtp-settings.js';

/** A port of the server is already in use by another process. */
export class PortInUseError extends CommandError {}

interface ListenError extends NodeJS.ErrnoException {
  port?: number;
  address?: string;
}

/** Where a server was to listen. */
interface Ports {
  host: string;
  smtpPort: number;
  smtp?: SmtpSettings;
}

const MORE_FILES = 'Raise the limit of open files, for example with "ulimit -n 4096".';

const SOCKET_REASONS: Partial<Record<string, string>> = {
  ENOTSOCK: 'a file that is not a socket exists there',
  EADDRINUSE: 'already in use by another process',
};

/** Returns the error of a server that could not listen, with what to do. */
export function explainListenError(error: ListenError, options: Ports): Error {
  const { port } = error;
  const socket = options.smtp?.lmtpSocket;
  if (socket !== undefined && error.address === socket) {
    return new CommandError(
      `Cannot listen on the socket ${socket}: ${SOCKET_REASONS[error.code ?? ''] ?? describeFileError(error)}.`,
      'Choose another path with --lmtp-socket.',
    );
  }
  if (error.code === 'EMFILE' || error.code === 'ENFILE') {
    const advice = error.code === 'EMFILE' ? MORE_FILES : 'Close programs that have many files or connections open.';
    return new CommandError(`Cannot listen: ${describeFileError(error)}.`, advice);
  }
  const flag = flagOf(port, options);
  if (error.code === 'EADDRINUSE') {
    const owner = port === undefined ? undefined : portOwner(port);
    return new PortInUseError(
      `Port ${port} is already in use${owner ? ` by ${owner}` : ''}.`,
      `Choose another with ${flag}, or pass 0 to select a free port.`,
    );
  }
  if (error.code === 'EACCES')
    return new CommandError(
      `Cannot listen on port ${port}: permission denied.`,
      `Choose a port above 1023 with ${flag}.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CommandError(
      `${options.host} is not an address of this machine.`,
      'Choose another with --host (default: 127.0.0.1).',
    );
  }
  return error;
}

/** Returns the flag of the port on which the server could not listen. */
function flagOf(port: number | undefined, { smtpPort, smtp }: Ports): string {
  if (port === smtpPort) return '--smtp-port';
  if (port === smtp?.tlsPort) return '--smtp-tls-port';
  return port === smtp?.lmtpPort ? '--lmtp-port' : '--http-port';
}

/**
 * Returns the process that listens on a TCP port, such as `node (pid 4242)`, if this user may see it. Reads /proc, so
 * it finds nothing on other systems.
 */
export function portOwner(port: number): string | undefined {
  try {
    const inode = listeningInode(port);
    if (!inode) return undefined;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (holdsSocket(pid, inode)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
    }
  } catch {
    // /proc is missing or not readable: the message omits the process.
  }
  return undefined;
}

/**
 * Returns the inode of the listening socket. State 0A is LISTEN; the local address ends with the port in hexadecimal.
 * See proc(5), /proc/net/tcp.
 */
function listeningInode(port: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(suffix) && fields[3] === '0A') return fields[9];
    }
  }
  return undefined;
}

function holdsSocket(pid: string, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}
