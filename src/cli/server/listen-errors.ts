import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { portOwner } from './port-owner.js';
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
